"""What a class does with each parameter of its constructor, read from its source: which is read as an image, and so on."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from . import flow


@dataclass
class Uses:
    """What is done with one parameter.

    Attributes:
        read: how its items are read as files: "image", "npy", "hdf5", "records", "raw", "csv" or "file".
        listed: whether it is a folder whose files are listed.
        joined: "folder" where it begins a path, "name" where it is a later part of one.
        suffixes: what is added to its items to make the name of a file.
        columns: of a data frame.
        keyed_by: parameters whose items are its keys.
        called: whether it is called as a function.
        literals: what it is compared with.
        number: whether it is computed with.
        ranks: how many dimensions its uses name.
        parts: how many numbers it is unpacked into.
        methods: what is called on it or on its items, and their attributes.
        own: what is called on the whole of it, and its attributes.
        names_columns: whether it holds the name of a column, or several.
        collection: whether it is indexed, iterated or measured.
        categorical: whether its items become one-hot vectors.
    """

    read: set[str] = field(default_factory=set)
    listed: bool = False
    joined: set[str] = field(default_factory=set)
    suffixes: list[str] = field(default_factory=list)
    columns: dict[str, Uses] = field(default_factory=dict)
    keyed_by: set[str] = field(default_factory=set)
    called: bool = False
    literals: list[object] = field(default_factory=list)
    number: bool = False
    ranks: int = 0
    parts: int = 0
    methods: set[str] = field(default_factory=set)
    own: set[str] = field(default_factory=set)
    names_columns: bool = False
    collection: bool = False
    categorical: bool = False


_IMAGE = frozenset(
    {"imread", "load_img", "decode_jpeg", "decode_png", "decode_image", "read_image", "imdecode", "open_image"}
)
_NPY = frozenset({"load"})
_FILE = frozenset({"open", "read_file", "read_text", "read_bytes", "loadtxt", "genfromtxt", "loadmat"})
_CSV = frozenset({"read_csv", "read_table"})
_LISTED = frozenset({"listdir", "glob", "iglob", "rglob", "walk", "scandir", "iterdir", "list_files"})
_FROM_DIRECTORY = frozenset({"flow_from_directory", "image_dataset_from_directory"})
_JOINED = frozenset({"join", "joinpath"})
_NUMBERS = (ast.Div, ast.FloorDiv, ast.Mult, ast.Mod, ast.Sub, ast.Pow)
FRAME = frozenset(
    {"iloc", "loc", "iterrows", "itertuples", "columns", "groupby", "reset_index", "set_index", "sort_values", "fillna",
     "dropna", "drop", "sample", "at", "apply", "query"}
)  # fmt: skip
"""What only a data frame has."""


def uses_of(classes: list[ast.ClassDef], functions: list[ast.FunctionDef]) -> dict[str, Uses]:
    """What is done with each parameter.

    Args:
        classes: the class and those of its bases that lie in the module, the class first; or none.
        functions: functions of the module; where there is no class, the first is the one that is asked about.
    """
    origins = flow.follow(classes, functions)
    found: dict[str, Uses] = {name: Uses() for name in origins.parameters}
    reader = _Reader(origins, found)
    for scope, function in origins.functions.items():
        reader.scope = scope
        for node in flow.within(function):
            reader.note(node)
    return found


class _Reader:
    """Notes uses; `scope` is the function that is read."""

    def __init__(self, origins: flow.Origins, found: dict[str, Uses]) -> None:
        self._origins = origins
        self._found = found
        self.scope = ""

    def note(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Subscript):
            self._subscript(node)
        elif isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._iterated(node.iter)
        elif isinstance(node, (ast.BinOp, ast.Compare, ast.JoinedStr)):
            self._computed(node)
        elif isinstance(node, ast.Assign):
            self._unpacked(node)

    def _attribute(self, node: ast.Attribute) -> None:
        for origin in self._origins.of(node.value, self.scope):
            one = self._use(origin)
            one.methods.add(node.attr)
            if not origin.level and not origin.column:
                one.own.add(node.attr)
            if node.attr in FRAME | {"shape"}:
                one.collection = True

    def _of(self, node: ast.AST) -> list[Uses]:
        """The uses of whatever an expression stands for: parameters, or columns of one."""
        return [self._use(origin) for origin in self._origins.of(node, self.scope)]

    def _use(self, origin: flow.Origin) -> Uses:
        use = self._found.setdefault(origin.name, Uses())
        return use.columns.setdefault(origin.column, Uses()) if origin.column else use

    def _iterated(self, node: ast.AST) -> None:
        for one in self._of(node):
            one.collection = True
        if isinstance(node, ast.Call) and _name(node.func) in ("enumerate", "zip"):
            for argument in node.args:
                self._iterated(argument)

    def _call(self, node: ast.Call) -> None:
        receiver = node.func.value if isinstance(node.func, ast.Attribute) else None
        if isinstance(node.func, ast.Name) or (isinstance(receiver, ast.Name) and receiver.id == "self"):
            for one in self._of(node.func):
                one.called = True
        name = _name(node.func)
        first = node.args[0] if node.args else None
        if isinstance(node.func, ast.Attribute) and name in _LISTED | _FILE and first is None:
            first = node.func.value
        if first is None:
            first = next((item.value for item in node.keywords if item.arg in ("path", "directory", "filename")), None)
        if first is None:
            return
        several = first.elts if name == "TFRecordDataset" and isinstance(first, (ast.List, ast.Tuple)) else [first]
        for given in several:
            for one in self._of(given):
                self._known(one, name, node)
        if name in _JOINED and node.args:
            before = [node.func.value] if name == "joinpath" and isinstance(node.func, ast.Attribute) else []
            self._joined([*before, *node.args])

    def _known(self, one: Uses, name: str, node: ast.Call) -> None:
        if name in _IMAGE or (name == "open" and _receiver(node) in ("Image", "PIL.Image", "pil_image")):
            one.read.add("image")
        elif name in _NPY and _receiver(node) in ("np", "numpy"):
            one.read.add("npy")
        elif name == "memmap":
            one.read.add("raw")
        elif name == "File" and _receiver(node) == "h5py":
            one.read.add("hdf5")
        elif name == "TFRecordDataset":
            one.read.add("records")
        elif name in _CSV:
            one.read.add("csv")
        elif name in _FILE:
            one.read.add("file")
        elif name in _LISTED | _FROM_DIRECTORY:
            one.listed = True
        elif name == "to_categorical":
            one.categorical = True
        elif name in ("len", "enumerate", "array", "asarray", "list", "sorted", "shuffle"):
            one.collection = True
        elif name in ("range", "arange", "int", "float", "ceil", "floor"):
            one.number = True

    def _subscript(self, node: ast.Subscript) -> None:
        key = node.slice
        size = len(key.elts) if isinstance(key, ast.Tuple) else 0
        for origin in self._origins.of(node.value, self.scope):
            one = self._use(origin)
            one.collection = True
            one.ranks = max(one.ranks, size + (0 if origin.level == 0 else 1) if size else 0)
            for other in self._origins.of(key, self.scope):
                if other.level == 1 and other.name != origin.name:
                    one.keyed_by.add(other.name)
            if isinstance(key, ast.Constant) and isinstance(key.value, int) and origin.level == 0:
                one.parts = max(one.parts, key.value + 1)
        self._shape(node)

    def _shape(self, node: ast.Subscript) -> None:
        """`x.shape[3]` says that there are four dimensions."""
        if (
            isinstance(node.value, ast.Attribute)
            and node.value.attr == "shape"
            and isinstance(node.slice, ast.Constant)
        ):
            for origin in self._origins.of(node.value.value, self.scope):
                if isinstance(node.slice.value, int):
                    one = self._use(origin)
                    one.ranks = max(one.ranks, node.slice.value + 1 + origin.level)

    def _computed(self, node: ast.BinOp | ast.Compare | ast.JoinedStr) -> None:
        if isinstance(node, ast.Compare):
            self._compared(node)
            return
        if isinstance(node, ast.BinOp) and isinstance(node.op, _NUMBERS):
            for side in (node.left, node.right):
                for one in self._of(side):
                    one.number = True
        parts = flow.parts(node)
        text = any(isinstance(part, ast.Constant) and isinstance(part.value, str) for part in parts)
        if text or (isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)):
            self._joined(parts)

    def _compared(self, node: ast.Compare) -> None:
        values = [item for other in node.comparators for item in getattr(other, "elts", [other])]
        found = [value.value for value in values if isinstance(value, ast.Constant) and value.value is not None]
        for one in self._of(node.left):
            one.literals += [value for value in found if value not in one.literals]

    def _joined(self, parts: list[ast.expr]) -> None:
        """Parts of one path: what begins it is a folder, what comes later is a name."""
        last = parts[-1]
        suffix = last.value if isinstance(last, ast.Constant) and isinstance(last.value, str) else ""
        for number, part in enumerate(parts):
            later = [
                item for item in parts[number + 1 :] if not isinstance(item, ast.Constant) or "/" in str(item.value)
            ]
            for one in self._of(part):
                one.joined.add("folder" if later and number == 0 else "name")
                if suffix.startswith((".", "_")) and "." in suffix and suffix not in one.suffixes and not later:
                    one.suffixes.append(suffix)

    def _unpacked(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if isinstance(target, (ast.Tuple, ast.List)):
            for origin in self._origins.of(node.value, self.scope):
                one = self._use(origin)
                one.parts = max(one.parts, len(target.elts))
            if isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
                for origin in self._origins.of(node.value.value, self.scope):
                    one = self._use(origin)
                    one.ranks = max(one.ranks, len(target.elts) + origin.level)


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def _receiver(node: ast.Call) -> str:
    return ast.unparse(node.func.value) if isinstance(node.func, ast.Attribute) else ""
