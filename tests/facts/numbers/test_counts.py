"""Quotients are told by what they give for every n and b, and what they are of."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.facts.asking import asked
from tests.facts.reading import facts_of

FORMS = {
    "n // b": "floor",
    "int(n / b)": "floor",
    "math.floor(n / b)": "floor",
    "int(math.floor(n / float(b)))": "floor",
    "divmod(n, b)[0]": "floor",
    "operator.floordiv(n, b)": "floor",
    "math.ceil(n // b)": "floor",
    "n / b": "true",
    "float(n) / float(b)": "true",
    "n * 1.0 / b": "true",
    "math.ceil(n / b)": "ceil",
    "math.ceil(n / float(b))": "ceil",
    "int(math.ceil(float(n) / b))": "ceil",
    "(n + b - 1) // b": "ceil",
    "(b - 1 + n) // b": "ceil",
    "(n - 1 + b) // b": "ceil",
    "(n - 1) // b + 1": "ceil",
    "1 + (n - 1) // b": "ceil",
    "-(-n // b)": "ceil",
    "-(n // -b)": "ceil",
    "n // b + (n % b > 0)": "ceil",
    "n // b + bool(n % b)": "ceil",
    "n // b + int(n % b != 0)": "ceil",
    "n // b + min(1, n % b)": "ceil",
    "n // b + (1 if n % b else 0)": "ceil",
    "n // b + (0 if n % b == 0 else 1)": "ceil",
    "n // b if n % b == 0 else n // b + 1": "ceil",
    "n // b + 1 if n % b else n // b": "ceil",
    "n // b if not n % b else (n + b - 1) // b": "ceil",
    "n // b + 1": "floor-plus-one",
    "1 + int(n / b)": "floor-plus-one",
    "round(n / b)": "nearest",
}
EXPECTED = {
    "floor": lambda n, b: n // b,
    "true": lambda n, b: n / b,
    "ceil": lambda n, b: -(-n // b),
    "floor-plus-one": lambda n, b: n // b + 1,
    "nearest": lambda n, b: round(n / b),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("around", ["n, b = len(x), size", "n = len(x)\nb = size"], ids=["pair", "names"])
def test_a_quotient_is_told_by_its_rounding(form: str, around: str) -> None:
    facts, arguments = asked(f"import math\nimport operator\n{around}\nsteps = {form}\nuse(steps)")
    count = facts.counts.of(arguments[0])
    assert count is not None
    assert count.kind == FORMS[form]
    assert (facts.text(count.numerator), facts.text(count.denominator)) == ("n", "b")


@given(st.sampled_from(sorted(FORMS)), st.integers(1, 500), st.integers(1, 60))
@settings(max_examples=300, derandomize=True)
def test_the_rounding_is_what_python_does(form: str, n: int, b: int) -> None:
    import operator

    given_by_python = eval(form, {"math": math, "operator": operator, "n": n, "b": b})
    assert given_by_python == pytest.approx(EXPECTED[FORMS[form]](n, b))


@pytest.mark.parametrize("form", sorted(set(FORMS) - {"n * 1.0 / b"}))
def test_whether_it_is_an_int_is_what_python_says(form: str) -> None:
    import operator

    facts, arguments = asked(f"import math\nimport operator\nn, b = len(x), size\nuse({form})")
    count = facts.counts.of(arguments[0])
    assert count is not None
    assert count.is_int is isinstance(eval(form, {"math": math, "operator": operator, "n": 7, "b": 3}), int)


NUMPY = {
    "np.ceil(n / b)": ("ceil", False),
    "int(np.ceil(n / float(b)))": ("ceil", True),
    "np.ceil(n / b).astype(int)": ("ceil", True),
    "np.floor(n / b)": ("floor", False),
    "int(np.floor(n / b))": ("floor", True),
    "np.floor_divide(n, b)": ("floor", True),
}


@pytest.mark.parametrize("form", NUMPY)
def test_numpy_rounds_to_floats(form: str) -> None:
    facts, arguments = asked(f"import numpy as np\nn, b = len(x), size\nuse({form})")
    count = facts.counts.of(arguments[0])
    assert count is not None
    assert (count.kind, count.is_int) == NUMPY[form]


OTHERS = [
    "n + b",
    "n // b - 1",
    "n // b + 2",
    "(n + b) // b + 1",
    "n // b + (n % c > 0)",
    "n // b if n % c == 0 else n // b + 1",
    "n // b if n % b else n // b + 1",
    "math.ceil(n)",
    "min(5, n // b)",
    "unknown(n / b)",
    "np.ceil(n / b).astype('float32')",
]


@pytest.mark.parametrize("form", OTHERS)
def test_other_forms_are_not_guessed_at(form: str) -> None:
    facts, arguments = asked(f"import math\nimport numpy as np\nn, b, c = len(x), size, other\nuse({form})")
    count = facts.counts.of(arguments[0])
    # A quotient of something else, such as n + b, is still told as what it is.
    assert count is None or (count.kind.startswith("floor") and facts.text(count.numerator) != "n")


def test_a_bound_below_is_kept() -> None:
    facts, arguments = asked("n, b = len(x), size\nuse(max(1, n // b))")
    count = facts.counts.of(arguments[0])
    assert count is not None
    assert (count.kind, count.least) == ("floor", 1)


LENGTHS = {
    "return len(self.paths) // self.size": ("floor", "len(self.paths)", "self.size"),
    "return int(np.ceil(len(self.paths) / float(self.size)))": ("ceil", "len(self.paths)", "self.size"),
    "n = len(self.paths)\nsteps = n // self.size\nif n % self.size:\n    steps += 1\nreturn steps": ("ceil", "n", "self.size"),
    "steps = len(self.paths) // self.size\nif len(self.paths) % self.size != 0:\n    steps += 1\nreturn steps": (
        "ceil", "len(self.paths)", "self.size",
    ),
    "steps = self.x.shape[0] // self.size\nif len(self.x) % self.size > 0:\n    steps += 1\nreturn steps": (
        "ceil", "self.x.shape[0]", "self.size",
    ),
    "steps = len(self.paths) // self.size\nsteps += 1\nreturn steps": ("floor-plus-one", "len(self.paths)", "self.size"),
    "if len(self.x) % self.size == 0:\n    return len(self.x) // self.size\nreturn len(self.x) // self.size + 1": (
        "ceil", "len(self.x)", "self.size",
    ),
    "if len(self.x) % self.size:\n    return len(self.x) // self.size + 1\nelse:\n    return len(self.x) // self.size": (
        "ceil", "len(self.x)", "self.size",
    ),
    "steps, rest = divmod(len(self.x), self.size)\nreturn steps": ("floor", "len(self.x)", "self.size"),
    "return self.steps()": ("true", "len(self.x)", "self.size"),
    "return (len(self.x) + 31) // 32": ("ceil", "len(self.x)", "32"),
}  # fmt: skip


@pytest.mark.parametrize("body", LENGTHS)
def test_a_length_is_told_through_its_statements(body: str) -> None:
    lines = "\n".join(f"        {line}" for line in body.split("\n"))
    facts = facts_of(
        f"import numpy as np\nclass Feed:\n    def __len__(self):\n{lines}\n"
        "    def steps(self):\n        return len(self.x) / self.size\n"
    )
    found = facts.counts.returned(facts.classes[0].methods["__len__"])
    assert [(c.kind, facts.text(c.numerator), facts.text(c.denominator)) for c in found if c is not None] == [
        LENGTHS[body]
    ]


def test_a_length_that_depends_on_a_flag_has_both() -> None:
    facts = facts_of(
        """
        import math

        class Feed:
            def __len__(self):
                if self.drop:
                    return len(self.x) // self.size
                return math.ceil(len(self.x) / self.size)
        """
    )
    found = facts.counts.returned(facts.classes[0].methods["__len__"])
    assert [count.kind for count in found if count is not None] == ["floor", "ceil"]


def test_one_number_in_two_spellings() -> None:
    facts, arguments = asked(
        "def f(self, x, y):\n    n = len(x)\n    m = n\n    use(m)\n    use(len(x))\n    use(x.shape[0])\n    use(len(y))\n    use(4)\n    use(2 + 2)"
    )
    same = [[facts.counts.same(one, other) for other in arguments] for one in arguments]
    groups = [0, 0, 0, 1, 2, 2]
    assert same == [[a == b for b in groups] for a in groups]
