"""What the code of a file says: names, classes, values, and what reaches which call. Rules are short questions to this."""

from seqlint.facts.batches.batches import Batch, Maker
from seqlint.facts.batches.float64_arrays import Float64Array
from seqlint.facts.batches.forms import Form
from seqlint.facts.batches.lengths import Length
from seqlint.facts.batches.ragged import Ragged
from seqlint.facts.batches.samples import BareList
from seqlint.facts.batches.structures import ListPart
from seqlint.facts.batches.variants import Variant
from seqlint.facts.callbacks.deciders import Stop
from seqlint.facts.callbacks.decisions import LocalStop, Unaveraged, UnevenCallback
from seqlint.facts.callbacks.kept_state import KeptState
from seqlint.facts.callbacks.list_uses import ListUse
from seqlint.facts.callbacks.logs import LogRead
from seqlint.facts.classes.classes import ClassFacts, Reached
from seqlint.facts.classes.hook import Hook, demanded
from seqlint.facts.classes.kinds import Answer, Kind
from seqlint.facts.code.alike import alike
from seqlint.facts.code.mentions import Mention, Mentions
from seqlint.facts.code.prefilter import (
    OF_KERAS,
    OF_NUMPY,
    OF_PANDAS,
    a_batch_method,
    a_call_of_model,
    a_getitem,
    a_member,
    a_member_of,
    a_sequence,
    a_shuffle,
    a_shuffled_source,
    a_source,
    an_epoch_hook,
    any_of,
    either,
    epoch_code,
    here_or_imported,
    importing,
    inherits_batches,
    matching,
)
from seqlint.facts.code.scopes import Binding, Scope, dotted, parameters, positional, receiver
from seqlint.facts.conditional_findings import (
    as_template_method,
    if_by_several,
    if_for_model,
    if_for_sequence,
    if_in_processes,
    if_of_model,
    if_on_model,
    if_trains,
    may_be_of_model,
    trainer_of,
)
from seqlint.facts.datasets.chains import Chain, Link, State
from seqlint.facts.datasets.datasets import FedDataset
from seqlint.facts.datasets.distributed import ByFunction, Distributed
from seqlint.facts.facts import Facts
from seqlint.facts.failures.absent import NoBatch, NoItem
from seqlint.facts.failures.missing_names import MissingName
from seqlint.facts.failures.partial_drops import PartialDrop
from seqlint.facts.failures.refused import Refused
from seqlint.facts.failures.swallows import Outcome, Swallow
from seqlint.facts.failures.unwritten import Unwritten
from seqlint.facts.flow.call_frames import Frame, Traced
from seqlint.facts.flow.collected import Collected
from seqlint.facts.flow.handlers import Handler, reads
from seqlint.facts.flow.lists import Condition, Item
from seqlint.facts.hooks.hook_counters import HookCounter
from seqlint.facts.hooks.hooks import Deed
from seqlint.facts.instances.attributes import Touch
from seqlint.facts.instances.cut import Cut
from seqlint.facts.instances.handles import OpenHandle
from seqlint.facts.instances.setups import Event
from seqlint.facts.instances.writes import Write
from seqlint.facts.keras import KerasInUse
from seqlint.facts.keras.lost_names import LAST_NAMES as LOST_NAMES
from seqlint.facts.keras.lost_names import LOST_PREPROCESSING, LOST_READERS, NOT_IN_TENSORFLOW, LostName
from seqlint.facts.keras.private import SOURCES as KERAS_SOURCES
from seqlint.facts.keras.private import is_from_private, is_gone, private_module
from seqlint.facts.keras.public import PUBLIC
from seqlint.facts.metrics.compiles import Compile
from seqlint.facts.metrics.states import MetricState
from seqlint.facts.metrics.step_results import RawResult
from seqlint.facts.numbers.arrays import Array
from seqlint.facts.numbers.rounding import Count
from seqlint.facts.numbers.row_containers import Container
from seqlint.facts.orders.shuffled import Misaligned
from seqlint.facts.orders.shuffles import Shuffle
from seqlint.facts.orders.worker_orders import WorkerOrder
from seqlint.facts.replicas.rank_collectives import RankCollective
from seqlint.facts.replicas.scalar_losses import ScalarLoss
from seqlint.facts.replicas.uneven_starts import UnevenStart
from seqlint.facts.state.advances import Advance
from seqlint.facts.state.altered import Altered
from seqlint.facts.state.buffers import Buffer
from seqlint.facts.state.getitem_mutations import GetitemMutation
from seqlint.facts.state.indexes import Ignored
from seqlint.facts.state.modes import Mode
from seqlint.facts.state.numpy_draws import NumpyDraw
from seqlint.facts.training.bundles import Bundle
from seqlint.facts.training.callback_lists import CallbackList, Listed
from seqlint.facts.training.fit_bindings import FitBinding
from seqlint.facts.training.hidden_fits import HiddenFit
from seqlint.facts.training.loading import Setting
from seqlint.facts.training.missed_errors import MissedError
from seqlint.facts.training.optimizers import OPTIMIZERS, Rate
from seqlint.facts.training.replica_means import ReplicaMean
from seqlint.facts.training.replica_values import ReplicaValue
from seqlint.facts.training.strategies import Strategy
from seqlint.facts.training.strategy_scopes import OutOfScope
from seqlint.facts.training.training import Role, TrainerCall
from seqlint.facts.values.values import Constant, bound
from seqlint.knowledge.keras_replacements import MEMBERS as LOST_MEMBERS
from seqlint.knowledge.keras_replacements import OTHER_NUMBERS
from seqlint.knowledge.numpy_removed import REMOVED as REMOVED_FROM_NUMPY
from seqlint.knowledge.signatures import SIGNATURES, WORKER_ARGUMENTS

__all__ = [
    "KERAS_SOURCES",
    "LOST_MEMBERS",
    "LOST_NAMES",
    "LOST_PREPROCESSING",
    "LOST_READERS",
    "NOT_IN_TENSORFLOW",
    "OF_KERAS",
    "OF_NUMPY",
    "OF_PANDAS",
    "OPTIMIZERS",
    "OTHER_NUMBERS",
    "PUBLIC",
    "REMOVED_FROM_NUMPY",
    "SIGNATURES",
    "WORKER_ARGUMENTS",
    "Advance",
    "Altered",
    "Answer",
    "Array",
    "BareList",
    "Batch",
    "Binding",
    "Buffer",
    "Bundle",
    "ByFunction",
    "CallbackList",
    "Chain",
    "ClassFacts",
    "Collected",
    "Compile",
    "Condition",
    "Constant",
    "Container",
    "Count",
    "Cut",
    "Deed",
    "Distributed",
    "Event",
    "Facts",
    "FedDataset",
    "FitBinding",
    "Float64Array",
    "Form",
    "Frame",
    "GetitemMutation",
    "Handler",
    "HiddenFit",
    "Hook",
    "HookCounter",
    "Ignored",
    "Item",
    "KeptState",
    "KerasInUse",
    "Kind",
    "Length",
    "Link",
    "ListPart",
    "ListUse",
    "Listed",
    "LocalStop",
    "LogRead",
    "LostName",
    "Maker",
    "Mention",
    "Mentions",
    "MetricState",
    "Misaligned",
    "MissedError",
    "MissingName",
    "Mode",
    "NoBatch",
    "NoItem",
    "NumpyDraw",
    "OpenHandle",
    "OutOfScope",
    "Outcome",
    "PartialDrop",
    "Ragged",
    "RankCollective",
    "Rate",
    "RawResult",
    "Reached",
    "Refused",
    "ReplicaMean",
    "ReplicaValue",
    "Role",
    "ScalarLoss",
    "Scope",
    "Setting",
    "Shuffle",
    "State",
    "Stop",
    "Strategy",
    "Swallow",
    "Touch",
    "Traced",
    "TrainerCall",
    "Unaveraged",
    "UnevenCallback",
    "UnevenStart",
    "Unwritten",
    "Variant",
    "WorkerOrder",
    "Write",
    "a_batch_method",
    "a_call_of_model",
    "a_getitem",
    "a_member",
    "a_member_of",
    "a_sequence",
    "a_shuffle",
    "a_shuffled_source",
    "a_source",
    "alike",
    "an_epoch_hook",
    "any_of",
    "as_template_method",
    "bound",
    "demanded",
    "dotted",
    "either",
    "epoch_code",
    "here_or_imported",
    "if_by_several",
    "if_for_model",
    "if_for_sequence",
    "if_in_processes",
    "if_of_model",
    "if_on_model",
    "if_trains",
    "importing",
    "inherits_batches",
    "is_from_private",
    "is_gone",
    "matching",
    "may_be_of_model",
    "parameters",
    "positional",
    "private_module",
    "reads",
    "receiver",
    "trainer_of",
]
