"""All that a rule file may import, and nothing else.

`cst` is libcst, for the types of nodes. Facts answer questions; the builders return edits.
"""

import libcst as cst

from seqlint.facts import (
    SIGNATURES, WORKER_ARGUMENTS, Answer, Apart, Array, Batch, Belief, Binding, CallbackList, ClassFacts, Collected,
    Condition, Constant, Count, Deed, Facts, Form, Handler, HiddenFit, Hook, KerasInUse, Listed, ListPart, ListUse,
    LocalStop, Loss, Maker, Reached, Role, Scope, Stop, Strategy, Swallow, Traced, TrainerCall, Unaveraged, Write,
    bound, dotted, parameters, reads,
)  # fmt: skip
from seqlint.model import Contract, Edit, Example, Finding, Fix, Levels, Rule
from seqlint.rewrite import (
    RUNS, Move, Spelling, add_argument, add_callbacks, add_parameter, as_tuple, average_before, average_moved,
    callback_fixes, catch_instead, chain_for, delete, end_with, forward_keywords, fresh_name, give_workers, indent_of,
    indent_unit, insert_after, insert_before, insert_definition, insert_first, keep_pairs, lift, lines_of,
    name_argument, name_for, only_item, own_generator_fix, raise_from, realign, reindent, remove_argument,
    remove_arguments, replace, spans_both, unwrap, worker_settings,
)  # fmt: skip

__all__ = [
    "RUNS", "SIGNATURES", "WORKER_ARGUMENTS", "Answer", "Apart", "Array", "Batch", "Belief", "Binding",
    "CallbackList", "ClassFacts", "Collected", "Condition", "Constant", "Contract", "Count", "Deed", "Edit",
    "Example", "Facts", "Finding", "Fix", "Form", "Handler", "HiddenFit", "Hook", "KerasInUse", "Levels", "ListPart",
    "ListUse", "Listed", "LocalStop", "Loss", "Maker", "Move", "Reached", "Role", "Rule", "Scope", "Spelling", "Stop",
    "Strategy", "Swallow", "Traced", "TrainerCall", "Unaveraged", "Write", "add_argument", "add_callbacks",
    "add_parameter", "as_tuple", "average_before", "average_moved", "bound", "callback_fixes", "catch_instead",
    "chain_for", "cst", "delete", "dotted", "end_with", "forward_keywords", "fresh_name", "give_workers", "indent_of",
    "indent_unit", "insert_after", "insert_before", "insert_definition", "insert_first", "keep_pairs", "lift",
    "lines_of", "name_argument", "name_for", "only_item", "own_generator_fix", "parameters", "raise_from", "reads",
    "realign", "reindent", "remove_argument", "remove_arguments", "replace", "spans_both", "unwrap",
    "worker_settings",
]  # fmt: skip
