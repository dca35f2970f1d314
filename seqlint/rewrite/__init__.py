"""Builders of edits: what leaves a rule is text, as little of it as possible, laid out as the file already is."""

from seqlint.rewrite.batch_shapes import own_input
from seqlint.rewrite.both import mended_in_both
from seqlint.rewrite.callbacks.averages import average_before, average_moved, horovod_alone, horovod_before
from seqlint.rewrite.callbacks.bases import give_callback_base
from seqlint.rewrite.callbacks.begins import begin_anew
from seqlint.rewrite.callbacks.callbacks import add_callbacks
from seqlint.rewrite.callbacks.epoch_hooks import RUNS, Move, callback_fixes, why_not_moved
from seqlint.rewrite.callbacks.hooks import as_hook, take_missing
from seqlint.rewrite.callbacks.passing import pass_callbacks, without_result
from seqlint.rewrite.callbacks.trackers import mean_of_batches, no_mean
from seqlint.rewrite.changed_calls import by_name, on_symbolic, without_argument
from seqlint.rewrite.draws import drawn_by_tensorflow
from seqlint.rewrite.generators import as_written_tuple, decoded_first, made_each_time
from seqlint.rewrite.guards import is_small, main_guard
from seqlint.rewrite.kept import assigned
from seqlint.rewrite.layout.arguments import add_argument, name_argument, realign, remove_argument, remove_arguments
from seqlint.rewrite.layout.augmented import spelled_out
from seqlint.rewrite.layout.comments import comment_behind
from seqlint.rewrite.layout.free_names import free_attribute, free_name
from seqlint.rewrite.layout.imports import Spelling, name_for
from seqlint.rewrite.layout.lift import lift
from seqlint.rewrite.layout.parameters import keep_parameters, remove_parameter
from seqlint.rewrite.layout.scopes import into_scope
from seqlint.rewrite.layout.statements import (
    delete,
    indent_of,
    indent_unit,
    insert_after,
    insert_before,
    insert_definition,
    insert_first,
    insert_last,
    lines_of,
    move_last,
    reindent,
    replace,
)  # fmt: skip
from seqlint.rewrite.layout.tuples import as_tuple, drop_last, only_item
from seqlint.rewrite.layout.unused_imports import without_import
from seqlint.rewrite.learning_rates import by_its_name
from seqlint.rewrite.losses import as_wide_as, other_loss, threshold_zero, with_logits, without_logits
from seqlint.rewrite.lost_members import member_instead
from seqlint.rewrite.lost_names import how_to_replace, instead_of, tensorflow_has
from seqlint.rewrite.numpy_names import NUMPY_INSTEAD, numpy_instead
from seqlint.rewrite.own_loops import first_in_loop, for_ever
from seqlint.rewrite.packages import reached_in
from seqlint.rewrite.parallel import in_parallel, prefetched
from seqlint.rewrite.paths import custom_objects, with_suffix, without_arguments
from seqlint.rewrite.pipelines import drop_argument, rename_keyword, reordered, set_argument, times
from seqlint.rewrite.public_imports import names_instead_of_module, public_import, public_instead, public_name
from seqlint.rewrite.rounding import ceiling, whole_number
from seqlint.rewrite.sequences.bases import give_base
from seqlint.rewrite.sequences.buffers import allocate_per_batch
from seqlint.rewrite.sequences.chain import Chain, chain_for
from seqlint.rewrite.sequences.constructors import forward_keywords, takes_keywords
from seqlint.rewrite.sequences.fresh_generators import fresh_generators
from seqlint.rewrite.sequences.handlers import also_catch, catch_instead, catch_only, end_with, raise_from, unwrap
from seqlint.rewrite.sequences.index_through import index_through
from seqlint.rewrite.sequences.one_order import one_order
from seqlint.rewrite.sequences.openings import open_per_call
from seqlint.rewrite.sequences.pairs import keep_pairs
from seqlint.rewrite.sequences.seeds import own_generator_fix
from seqlint.rewrite.sequences.shells import unwrapped
from seqlint.rewrite.sequences.shuffles import as_permutation, taken_back, without_target
from seqlint.rewrite.sequences.workers import (
    Moved,
    give_workers,
    spans_both,
    worker_settings,
)
from seqlint.rewrite.sequences.workers_told import no_place_for_workers, told_of_generators
from seqlint.rewrite.steps import step_after, step_before, step_removed
from seqlint.rewrite.texts import mode_edit, renamed
from seqlint.rewrite.wrapping import argument_instead, wrapped

__all__ = [
    "NUMPY_INSTEAD",
    "RUNS",
    "Chain",
    "Move",
    "Moved",
    "Spelling",
    "add_argument",
    "add_callbacks",
    "allocate_per_batch",
    "also_catch",
    "argument_instead",
    "as_hook",
    "as_permutation",
    "as_tuple",
    "as_wide_as",
    "as_written_tuple",
    "assigned",
    "average_before",
    "average_moved",
    "begin_anew",
    "by_its_name",
    "by_name",
    "callback_fixes",
    "catch_instead",
    "catch_only",
    "ceiling",
    "chain_for",
    "comment_behind",
    "custom_objects",
    "decoded_first",
    "delete",
    "drawn_by_tensorflow",
    "drop_argument",
    "drop_last",
    "end_with",
    "first_in_loop",
    "for_ever",
    "forward_keywords",
    "free_attribute",
    "free_name",
    "fresh_generators",
    "give_base",
    "give_callback_base",
    "give_workers",
    "horovod_alone",
    "horovod_before",
    "how_to_replace",
    "in_parallel",
    "indent_of",
    "indent_unit",
    "index_through",
    "insert_after",
    "insert_before",
    "insert_definition",
    "insert_first",
    "insert_last",
    "instead_of",
    "into_scope",
    "is_small",
    "keep_pairs",
    "keep_parameters",
    "lift",
    "lines_of",
    "made_each_time",
    "main_guard",
    "mean_of_batches",
    "member_instead",
    "mended_in_both",
    "mode_edit",
    "move_last",
    "name_argument",
    "name_for",
    "names_instead_of_module",
    "no_mean",
    "no_place_for_workers",
    "numpy_instead",
    "on_symbolic",
    "one_order",
    "only_item",
    "open_per_call",
    "other_loss",
    "own_generator_fix",
    "own_input",
    "pass_callbacks",
    "prefetched",
    "public_import",
    "public_instead",
    "public_name",
    "raise_from",
    "reached_in",
    "realign",
    "reindent",
    "remove_argument",
    "remove_arguments",
    "remove_parameter",
    "rename_keyword",
    "renamed",
    "reordered",
    "replace",
    "set_argument",
    "spans_both",
    "spelled_out",
    "step_after",
    "step_before",
    "step_removed",
    "take_missing",
    "taken_back",
    "takes_keywords",
    "tensorflow_has",
    "threshold_zero",
    "times",
    "told_of_generators",
    "unwrap",
    "unwrapped",
    "whole_number",
    "why_not_moved",
    "with_logits",
    "with_suffix",
    "without_argument",
    "without_arguments",
    "without_import",
    "without_logits",
    "without_result",
    "without_target",
    "worker_settings",
    "wrapped",
]
