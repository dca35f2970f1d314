"""Numbers are those that Python gives when the program runs, and are known only where nothing else can be meant."""

from __future__ import annotations

import pytest

from tests.facts.asking import asked, run

KNOWN = {
    "a name": "BATCH = 32\nuse(BATCH)",
    "arithmetic": "n = 100\nb = 32\nuse(n // b * b + n % b - 2 ** 3)",
    "the ceiling": "import math\nn = 100\nuse(math.ceil(n / 32))",
    "negative floor": "use(-(-100 // 32))",
    "a conversion": "use(int(100 / 32))",
    "a bound": "use(max(1, 3 // 32))",
    "a literal list": "names = ['a', 'b', 'c']\nuse(len(names))",
    "a range": "use(len(range(10, 100, 7)))",
    "a list many times": "use(len(['a', 'b'] * 16))",
    "a list of a range": "order = list(range(12))\nuse(len(order))",
    "a parameter": "def train(epochs, size=3):\n    use(epochs)\n    use(size)\n\ntrain(5)",
    "a class attribute": "class Config:\n    batch = 16\n\nuse(Config.batch)",
    "an attribute of an instance": """
        class Feed:
            def __init__(self, x, size=8):
                self.x, self.size = x, size

            def count(self):
                use(self.size)

        feed = Feed([], size=4)
        feed.count()
        use(feed.size)
    """,
    "a default": """
        class Feed:
            batch = 2

            def __init__(self, size=8):
                self.size = size

        feed = Feed()
        use(feed.size)
        use(feed.batch)
    """,
    "each of two instances": """
        class Feed:
            def __init__(self, size=8):
                self.size = size

        train, test = Feed(4), Feed()
        use(train.size)
        use(test.size)
    """,
    "what is computed from an argument": """
        class Feed:
            def __init__(self, n, size):
                self.steps = n // size

        use(Feed(100, 8).steps)
    """,
}


@pytest.mark.parametrize("program", KNOWN.values(), ids=KNOWN)
def test_a_number_is_what_python_gives(program: str) -> None:
    facts, arguments = asked(program)
    assert [facts.numbers.value(argument) for argument in arguments] == run(program)


UNKNOWN = {
    "a loop": "n = 1\nfor _ in range(3):\n    n = n * 2\nuse(n)",
    "a count in a loop": "n = 0\nfor _ in 'abc':\n    n += 1\nuse(n)",
    "a branch": "import os\nn = 1 if os.environ.get('X') else 2\nuse(n)",
    "a list that grows": "names = ['a']\nnames.append('b')\nuse(len(names))",
    "a list with others in it": "more = ['b', 'c']\nnames = ['a', *more]\nuse(len(names))",
    "two calls": "def train(epochs):\n    use(epochs)\n\ntrain(1)\ntrain(2)",
    "a setting from outside": """
        class Feed:
            def __init__(self, size=8):
                self.size = size

            def count(self):
                use(self.size)

        feed = Feed()
        feed.size = 3
        feed.count()
        use(feed.size)
    """,
    "a subclass": """
        class Feed:
            size = 8

            def count(self):
                use(self.size)

        class Small(Feed):
            size = 2

        Small().count()
    """,
    "a method that sets it": """
        class Feed:
            def __init__(self):
                self.size = 8

            def grow(self):
                self.size = 16

        feed = Feed()
        feed.grow()
        use(feed.size)
    """,
    "division by zero": "def lazy():\n    use(1 // 0)",
    "a number too large": "def lazy():\n    use(9 ** 9 ** 9)",
    "a literal too large": f"def lazy():\n    use(1{25 * '0'})\n    use(len(range(1{25 * '0'})))",
    "an infinite literal": "def lazy():\n    use(1e999)\n    use(int(-1e999))",
    "a flag": "use(True)",
}


@pytest.mark.parametrize("program", UNKNOWN.values(), ids=UNKNOWN)
def test_what_can_be_anything_else_is_no_number(program: str) -> None:
    facts, arguments = asked(program)
    assert [facts.numbers.value(argument) for argument in arguments] == [None] * len(arguments)


def test_a_class_that_nobody_here_makes_may_get_any_argument() -> None:
    facts, arguments = asked(
        "class Feed:\n    def __init__(self, size=8):\n        self.size = size\n        use(self.size)"
    )
    assert facts.numbers.values(arguments[0]) == (None, 8)
