"""All that a rule file may import, and nothing else.

`cst` is libcst, for the types of nodes. Facts answer questions; the builders return edits.
"""

import libcst as cst

from seqlint.facts import (
    SIGNATURES,
    WORKER_ARGUMENTS,
    Answer,
    Batch,
    Belief,
    Binding,
    ClassFacts,
    Collected,
    Constant,
    Facts,
    Handler,
    KerasInUse,
    ListUse,
    Loss,
    Maker,
    Reached,
    Role,
    Scope,
    Swallow,
    Traced,
    TrainerCall,
    bound,
    dotted,
    parameters,
    reads,
)  # fmt: skip
from seqlint.model import Contract, Edit, Example, Finding, Fix, Levels, Rule
from seqlint.rewrite import (
    Spelling,
    add_argument,
    add_parameter,
    catch_instead,
    chain_for,
    delete,
    forward_keywords,
    fresh_name,
    give_workers,
    indent_of,
    indent_unit,
    insert_after,
    insert_before,
    insert_definition,
    insert_first,
    keep_pairs,
    lines_of,
    name_argument,
    name_for,
    raise_from,
    reindent,
    remove_argument,
    remove_arguments,
    replace,
    spans_both,
    worker_settings,
)  # fmt: skip

__all__ = [
    "SIGNATURES", "WORKER_ARGUMENTS", "Answer", "Batch", "Belief", "Binding", "ClassFacts", "Collected",
    "Constant", "Contract", "Edit", "Example", "Facts", "Finding", "Fix", "Handler", "KerasInUse", "Levels",
    "ListUse", "Loss", "Maker", "Reached", "Role", "Rule", "Scope", "Spelling", "Swallow", "Traced", "TrainerCall",
    "add_argument", "add_parameter", "bound", "catch_instead", "chain_for", "cst", "delete", "dotted",
    "forward_keywords", "fresh_name", "give_workers", "indent_of", "indent_unit", "insert_after", "insert_before",
    "insert_definition", "insert_first", "keep_pairs", "lines_of", "name_argument", "name_for", "parameters",
    "raise_from", "reads", "reindent", "remove_argument", "remove_arguments", "replace", "spans_both", "worker_settings",
]  # fmt: skip
