"""A look at the bytes of a file that tells whether it can concern seqlint at all.

Most files of a project don't mention Keras. They cost one search here; no parser is imported for them. Such a file is
never parsed, so its syntax errors are not reported either.
"""

from __future__ import annotations

import re

# A suppression comment passes too: what it names must be judged even where the code no longer mentions Keras.
_WORDS = re.compile(rb"keras|tensorflow|horovod|seqlint|SEQ[0-9]{3}|(?i:noqa)[^\n]*(?i:seq)")


def mentions_keras(data: bytes) -> bool:
    """Whether a file with these bytes can hold a finding: it names Keras, TensorFlow, Horovod or seqlint."""
    return _WORDS.search(data) is not None
