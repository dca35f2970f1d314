"""Whether generators and loops ever end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from seqlint.facts.code.control_flow import is_endless, statements
from seqlint.facts.code.methods import PLAIN
from seqlint.facts.code.scopes import dotted

if TYPE_CHECKING:
    from seqlint.facts.classes.kinds import Answer
    from seqlint.facts.code.names import Names
    from seqlint.facts.code.tree import Tree
    from seqlint.facts.flow.call_graph import CallGraph
    from seqlint.facts.values.values import Value, Values

FOREVER = frozenset({"itertools.cycle", "itertools.count"})
_WRAPS = frozenset({
    "builtins.enumerate", "builtins.filter", "builtins.iter", "builtins.map", "builtins.reversed", "builtins.zip",
    "itertools.chain", "itertools.islice",
})  # fmt: skip
_FINITE = ("builtins.", "csv.", "cv2.", "glob.", "json.", "numpy.", "os.", "pandas.", "pickle.", "random.", "sklearn.")
_FINITE_METHODS = frozenset({
    "copy", "glob", "items", "iterdir", "iterrows", "itertuples", "keys", "permutation", "read", "readlines", "rglob",
    "split", "splitlines", "tolist", "values",
})  # fmt: skip
_ORDER = (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual, cst.NotEqual)
_MAX_STEPS = 4


class Endless:
    """Tells for the generators of one file whether they end."""

    def __init__(self, tree: Tree, names: Names, values: Values, calls: CallGraph) -> None:
        self._tree = tree
        self._names = names
        self._values = values
        self._calls = calls
        self._known: dict[cst.FunctionDef, Answer] = {}
        self._open: set[cst.FunctionDef] = set()

    def of(self, function: cst.FunctionDef) -> Answer:
        """Whether a generator function never ends: "yes" for `while True` with no way out, "no" where it surely ends."""
        if function in self._open:
            return "unknown"
        if function not in self._known:
            self._open.add(function)
            self._known[function] = self._block(function.body, function)
            self._open.discard(function)
        return self._known[function]

    def source(self, node: cst.BaseExpression) -> Answer:
        """Whether what a loop runs over never ends."""
        return self._source(node, _MAX_STEPS)

    def function(self, call: cst.Call) -> cst.FunctionDef | None:
        """The generator function that a call surely runs; a decorated one may give something else."""
        function = self._calls.called(call)
        if function is None or function.asynchronous or not self._values.is_generator(function):
            return None
        return function if all(self._names.qualified(d.decorator) in PLAIN for d in function.decorators) else None

    def yields(self, function: cst.FunctionDef) -> tuple[cst.Yield, ...]:
        """Every `yield` of a function, those of inner functions left out."""
        inner = self._tree.inside(function.body, cst.Yield)
        return tuple(node for node in inner if self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function)

    # -- blocks -------------------------------------------------------------------------------------------------------

    def _block(self, block: cst.CSTNode, function: cst.FunctionDef) -> Answer:
        """Whether code that runs through a block never comes out of it."""
        passed = True
        answers: set[Answer] = set()
        for statement in statements(block):
            answer = self._statement(statement, function)
            if answer == "yes":  # what stands before it may take for ever, too
                return "yes" if passed else "unknown"
            answers.add(answer)
            passed = passed and not self._returns(statement, function)
        return "unknown" if "unknown" in answers and self._may_stay(block) else "no"

    def _statement(self, node: cst.CSTNode, function: cst.FunctionDef) -> Answer:
        if isinstance(node, cst.While):
            return self._while(node, function)
        if isinstance(node, cst.For):
            return self._for(node, function)
        if isinstance(node, cst.With):
            return self._block(node.body, function)
        if isinstance(node, cst.Try):  # an error inside leaves the loop, and the handler goes on
            inside = self._block(node.body, function)
            return "unknown" if inside == "yes" and node.handlers else inside
        if isinstance(node, cst.If):
            return self._if(node, function)
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.Yield) and isinstance(node.value.value, cst.From):
            return self._source(node.value.value.item, _MAX_STEPS)
        return "no"

    def _if(self, node: cst.If, function: cst.FunctionDef) -> Answer:
        found = {self._block(node.body, function)}
        if isinstance(node.orelse, cst.If):
            found.add(self._if(node.orelse, function))
        else:
            found.add(self._block(node.orelse.body, function) if node.orelse is not None else "no")
        return found.pop() if len(found) == 1 else "unknown"

    def _while(self, loop: cst.While, function: cst.FunctionDef) -> Answer:
        if not is_endless(loop):
            return "no" if self._counts(loop) else "unknown"
        yields = any(self._tree.holds(loop, node) for node in self.yields(function))
        return "yes" if yields and not self._is_left(loop, function) else "unknown"

    def _counts(self, loop: cst.While) -> bool:
        """`while start < n`, where the loop sets nothing back that the test asks for."""
        test = loop.test
        if not isinstance(test, cst.Comparison) or not all(isinstance(c.operator, _ORDER) for c in test.comparisons):
            return False
        asked = {dotted(node) for node in self._tree.walk(test) if isinstance(node, (cst.Name, cst.Attribute))}
        set_back = (target.target for target in self._tree.inside(loop.body, cst.AssignTarget))
        return not any(isinstance(node, (cst.Name, cst.Attribute)) and dotted(node) in asked for node in set_back)

    def _for(self, loop: cst.For, function: cst.FunctionDef) -> Answer:
        source = self._source(loop.iter, _MAX_STEPS)
        if source == "yes":
            return "unknown" if self._is_left(loop, function) else "yes"
        inner = self._block(loop.body, function)
        return source if inner == "no" else inner

    def _is_left(self, loop: cst.While | cst.For, function: cst.FunctionDef) -> bool:
        """Whether a loop can be left: by `break`, `return` or `raise StopIteration`."""
        for node in self._tree.walk(loop.body):
            if isinstance(node, cst.Break) and self._tree.enclosing(node, cst.For, cst.While) is loop:
                return True
            if isinstance(node, cst.Return) and self._tree.enclosing(node, cst.FunctionDef, cst.Lambda) is function:
                return True
            if isinstance(node, cst.Raise) and any(
                n.value == "StopIteration" for n in self._tree.inside(node, cst.Name)
            ):
                return True
        return False

    def _returns(self, statement: cst.CSTNode, function: cst.FunctionDef) -> bool:
        """Whether a compound statement may end the generator before what follows it."""
        if not isinstance(statement, (cst.If, cst.For, cst.While, cst.With, cst.Try)):
            return False
        return any(self._tree.function(node) is function for node in self._tree.inside(statement, cst.Return))

    def _may_stay(self, node: cst.CSTNode) -> bool:
        """Whether anything in a piece of code can keep a generator for ever."""
        for inner in self._tree.walk(node):
            if isinstance(inner, cst.While) and not self._counts(inner):
                return True
            if isinstance(inner, cst.For) and self._source(inner.iter, _MAX_STEPS) != "no":
                return True
            if isinstance(inner, cst.From) and self._source(inner.item, _MAX_STEPS) != "no":
                return True
        return False

    # -- what a loop runs over --------------------------------------------------------------------------------------

    def _source(self, node: cst.BaseExpression, steps: int) -> Answer:
        """Whether what a loop runs over never ends."""
        answers = {self._value_is_endless(value, steps) for value in self._values.of(node)} if steps else set()
        return answers.pop() if len(answers) == 1 else "unknown"

    def _value_is_endless(self, value: Value, steps: int) -> Answer:
        if value is None:
            return "unknown"
        if isinstance(value, cst.GeneratorExp):
            return self._source(value.for_in.iter, steps - 1)
        if not isinstance(value, cst.Call):
            return "unknown" if isinstance(value, (cst.Name, cst.Attribute, cst.Subscript)) else "no"
        function = self.function(value)
        if function is not None:
            return self.of(function)
        name = self._names.qualified(value.func)
        if name in FOREVER:
            return "yes"
        if name in _WRAPS or (name or "").startswith("tqdm."):
            return self._wrapped(value, name or "", steps)
        method = value.func.attr.value if isinstance(value.func, cst.Attribute) else ""
        finite = name.startswith(_FINITE) if name is not None else method in _FINITE_METHODS
        return "no" if finite else "unknown"

    def _wrapped(self, call: cst.Call, name: str, steps: int) -> Answer:
        """`zip(cycle(a), b)` ends with the first of its sources."""
        if name == "itertools.islice":
            return "no" if len(call.args) > 1 else "unknown"
        inner = [self._source(a.value, steps - 1) for a in call.args if not a.star and a.keyword is None]
        if name == "itertools.chain":
            return "yes" if "yes" in inner else "no" if inner and set(inner) == {"no"} else "unknown"
        if name != "builtins.zip":
            inner = inner[1:] if name in ("builtins.map", "builtins.filter") else inner[:1]
        return "no" if "no" in inner else "yes" if inner and set(inner) == {"yes"} else "unknown"
