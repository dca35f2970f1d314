"""Ranges of numbers that a program names: they may be longer than Python's `len` can say."""


def length(numbers: range) -> int:
    """How many numbers a range holds; `len` refuses more than `sys.maxsize` with OverflowError."""
    room = (numbers.stop - numbers.start) if numbers.step > 0 else (numbers.start - numbers.stop)
    return max(0, -(-room // abs(numbers.step)))
