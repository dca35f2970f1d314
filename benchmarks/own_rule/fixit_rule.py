import libcst as cst
import libcst.matchers as m
from fixit import LintRule

LOUD = m.Call(
    func=m.Attribute(attr=m.Name("fit")),
    args=[m.ZeroOrMore(), m.Arg(keyword=m.Name("verbose"), value=m.Integer("2")), m.ZeroOrMore()],
)


class LoudFit(LintRule):
    def visit_Call(self, node: cst.Call) -> None:
        if m.matches(node, LOUD):
            self.report(node, "fit is loud")
