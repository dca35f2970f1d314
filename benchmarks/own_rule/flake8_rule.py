import ast


class LoudFit:
    name, version = "loud-fit", "1"

    def __init__(self, tree):
        self.tree = tree

    def run(self):
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "fit":
                for keyword in node.keywords:
                    if keyword.arg == "verbose" and getattr(keyword.value, "value", None) == 2:
                        yield node.lineno, node.col_offset, "LOU100 fit is loud", type(self)
