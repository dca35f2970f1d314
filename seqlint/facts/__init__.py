"""What the code of a file says: names, classes, values, and what reaches which call. Rules are short questions to this."""

from seqlint.facts.batches.batches import Batch, Maker
from seqlint.facts.batches.doubles import Double
from seqlint.facts.batches.indexes import Ignored
from seqlint.facts.batches.lengths import Length
from seqlint.facts.batches.modes import Mode
from seqlint.facts.batches.ragged import Ragged
from seqlint.facts.batches.samples import BareList
from seqlint.facts.batches.structures import ListPart
from seqlint.facts.batches.variants import Variant
from seqlint.facts.callbacks.callbacks import CallbackList, Listed
from seqlint.facts.callbacks.deciders import Stop
from seqlint.facts.callbacks.decisions import Apart, LocalStop, Unaveraged
from seqlint.facts.callbacks.list_uses import ListUse
from seqlint.facts.callbacks.logs import LogRead
from seqlint.facts.classes.attributes import Touch
from seqlint.facts.classes.classes import ClassFacts, Reached
from seqlint.facts.classes.draft import Cut
from seqlint.facts.classes.handles import OpenHandle
from seqlint.facts.classes.hooks import Deed, Hook, demanded
from seqlint.facts.classes.kinds import Answer, Kind
from seqlint.facts.classes.setups import Event
from seqlint.facts.classes.steppings import Stepping
from seqlint.facts.classes.wrapped import Wrapper
from seqlint.facts.classes.writes import Write
from seqlint.facts.code.alike import alike
from seqlint.facts.code.mentions import Mention, Mentions
from seqlint.facts.code.scopes import Binding, Scope, dotted, parameters
from seqlint.facts.code.words import (
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
    a_source,
    an_epoch_hook,
    any_of,
    either,
    epoch_code,
    importing,
    inherits_batches,
    matching,
)
from seqlint.facts.datasets.chains import Chain, Link, State
from seqlint.facts.datasets.datasets import FedDataset
from seqlint.facts.datasets.distributed import ByFunction, Distributed
from seqlint.facts.datasets.generators import FedGenerator, Generator, Yielded
from seqlint.facts.datasets.mapped import Draw, Ran
from seqlint.facts.facts import Facts
from seqlint.facts.failures.absent import NoBatch, NoItem
from seqlint.facts.failures.handlers import Handler, reads
from seqlint.facts.failures.losses import Loss
from seqlint.facts.failures.missing_names import MissingName
from seqlint.facts.failures.refused import Refused
from seqlint.facts.failures.swallows import Outcome, Swallow
from seqlint.facts.failures.unwritten import Unwritten
from seqlint.facts.keras import KerasInUse
from seqlint.facts.keras.private import SOURCES as KERAS_SOURCES
from seqlint.facts.keras.private import is_from_private, is_gone, private_module
from seqlint.facts.keras.public import PUBLIC
from seqlint.facts.metrics.compiles import Compile
from seqlint.facts.metrics.logged import Logged
from seqlint.facts.metrics.states import MetricState
from seqlint.facts.metrics.step_results import RawResult
from seqlint.facts.numbers.arrays import Array
from seqlint.facts.numbers.numpy_removed import REMOVED as REMOVED_FROM_NUMPY
from seqlint.facts.numbers.rounding import Count
from seqlint.facts.orders.compared import Compared
from seqlint.facts.orders.containers import Container
from seqlint.facts.orders.shuffles import Shuffle
from seqlint.facts.orders.unread import Unread
from seqlint.facts.orders.wrong_rows import WrongRows
from seqlint.facts.provisos import (
    as_piece,
    if_by_several,
    if_for_model,
    if_for_sequence,
    if_in_processes,
    if_on_model,
    if_trains,
)
from seqlint.facts.state.advances import Advance
from seqlint.facts.state.altered import Altered
from seqlint.facts.state.buffers import Buffer
from seqlint.facts.state.carried import Carried
from seqlint.facts.state.numpy_draws import NumpyDraw
from seqlint.facts.training.bundles import Bundle
from seqlint.facts.training.hidden_fits import HiddenFit
from seqlint.facts.training.loading import Setting
from seqlint.facts.training.missed_errors import MissedError
from seqlint.facts.training.optimizers import OPTIMIZERS, Rate
from seqlint.facts.training.replica_values import ReplicaValue
from seqlint.facts.training.scopes import OutOfScope
from seqlint.facts.training.signatures import SIGNATURES, WORKER_ARGUMENTS
from seqlint.facts.training.strategies import Strategy
from seqlint.facts.training.trained import Trained
from seqlint.facts.training.training import Role, TrainerCall
from seqlint.facts.values.collected import Collected
from seqlint.facts.values.forms import Form
from seqlint.facts.values.frames import Frame, Traced
from seqlint.facts.values.lists import Condition, Item
from seqlint.facts.values.values import Constant, bound

__all__ = [
    "KERAS_SOURCES",
    "OF_KERAS",
    "OF_NUMPY",
    "OF_PANDAS",
    "OPTIMIZERS",
    "PUBLIC",
    "REMOVED_FROM_NUMPY",
    "SIGNATURES",
    "WORKER_ARGUMENTS",
    "Advance",
    "Altered",
    "Answer",
    "Apart",
    "Array",
    "BareList",
    "Batch",
    "Binding",
    "Buffer",
    "Bundle",
    "ByFunction",
    "CallbackList",
    "Carried",
    "Chain",
    "ClassFacts",
    "Collected",
    "Compared",
    "Compile",
    "Condition",
    "Constant",
    "Container",
    "Count",
    "Cut",
    "Deed",
    "Distributed",
    "Double",
    "Draw",
    "Event",
    "Facts",
    "FedDataset",
    "FedGenerator",
    "Form",
    "Frame",
    "Generator",
    "Handler",
    "HiddenFit",
    "Hook",
    "Ignored",
    "Item",
    "KerasInUse",
    "Kind",
    "Length",
    "Link",
    "ListPart",
    "ListUse",
    "Listed",
    "LocalStop",
    "LogRead",
    "Logged",
    "Loss",
    "Maker",
    "Mention",
    "Mentions",
    "MetricState",
    "MissedError",
    "MissingName",
    "Mode",
    "NoBatch",
    "NoItem",
    "NumpyDraw",
    "OpenHandle",
    "OutOfScope",
    "Outcome",
    "Ragged",
    "Ran",
    "Rate",
    "RawResult",
    "Reached",
    "Refused",
    "ReplicaValue",
    "Role",
    "Scope",
    "Setting",
    "Shuffle",
    "State",
    "Stepping",
    "Stop",
    "Strategy",
    "Swallow",
    "Touch",
    "Traced",
    "Trained",
    "TrainerCall",
    "Unaveraged",
    "Unread",
    "Unwritten",
    "Variant",
    "Wrapper",
    "Write",
    "WrongRows",
    "Yielded",
    "a_batch_method",
    "a_call_of_model",
    "a_getitem",
    "a_member",
    "a_member_of",
    "a_sequence",
    "a_shuffle",
    "a_source",
    "alike",
    "an_epoch_hook",
    "any_of",
    "as_piece",
    "bound",
    "demanded",
    "dotted",
    "either",
    "epoch_code",
    "if_by_several",
    "if_for_model",
    "if_for_sequence",
    "if_in_processes",
    "if_on_model",
    "if_trains",
    "importing",
    "inherits_batches",
    "is_from_private",
    "is_gone",
    "matching",
    "parameters",
    "private_module",
    "reads",
]
