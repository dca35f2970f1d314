from astroid import nodes
from pylint.checkers import BaseChecker


class LoudFit(BaseChecker):
    name = "loud-fit"
    msgs = {"W9901": ("fit is loud", "loud-fit", "fit(verbose=2) prints a line for each epoch")}

    def visit_call(self, node):
        if isinstance(node.func, nodes.Attribute) and node.func.attrname == "fit":
            for keyword in node.keywords:
                if keyword.arg == "verbose" and getattr(keyword.value, "value", None) == 2:
                    self.add_message("loud-fit", node=node)


def register(linter):
    linter.register_checker(LoudFit(linter))
