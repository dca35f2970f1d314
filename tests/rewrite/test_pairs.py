"""Sample and label kept together: the label goes through the loop, or moves behind its sample."""

from __future__ import annotations

import pytest

from seqlint.engine.compose import apply
from seqlint.rewrite import keep_pairs
from tests.facts.feed import sequence

BODY = """
rows = slice(index * 4, index * 4 + 4)
labels = self.labels[rows]
images = []
HEAD
    image = np.load(path)
    if image.max() == 0:
        continue
    images.append(image)  # good
return np.array(images), END
"""


def paired(body: str) -> str | None:
    """The body after the rewrite; None where it is not offered."""
    facts = sequence(body)
    edits = keep_pairs(facts, facts.partial_drops.all[0])
    if not edits:
        return None
    after = apply(facts.source.utf8, edits)
    lines = after.split("def __getitem__(self, index):\n")[1].rstrip("\n").split("\n")
    return "\n".join(line[8:] for line in lines)


@pytest.mark.parametrize(
    ("head", "after"),
    [
        ("for path in self.paths[rows]:", "for path, label in zip(self.paths[rows], labels):"),
        ("for k, path in enumerate(self.paths[rows]):", "for k, (path, label) in enumerate(zip(self.paths[rows], labels)):"),
        ("for path, size in zip(self.paths[rows], self.sizes[rows]):", "for path, size, label in zip(self.paths[rows], self.sizes[rows], labels):"),
        ("for path, size in self.items[rows]:", "for (path, size), label in zip(self.items[rows], labels):"),
    ],
)  # fmt: skip
def test_the_label_goes_through_the_loop(head: str, after: str) -> None:
    expected = BODY.replace("HEAD", after).replace("END", "np.array(kept_labels)").strip("\n")
    expected = expected.replace("images = []\n", "images = []\nkept_labels = []\n")
    expected = expected.replace("# good\n", "# good\n    kept_labels.append(label)\n")
    assert paired(BODY.replace("HEAD", head).replace("END", "np.array(labels)")) == expected


@pytest.mark.parametrize(
    ("end", "after"),
    [
        ("labels", "np.array(kept_labels)"),
        ("np.asarray(labels, 'float32')", "np.asarray(kept_labels, 'float32')"),
        ("labels / 10", "np.array(kept_labels) / 10"),
        ("keras.utils.to_categorical(labels)", "keras.utils.to_categorical(kept_labels)"),
    ],
)
def test_the_kept_labels_become_an_array_where_the_slice_was_one(end: str, after: str) -> None:
    body = BODY.replace("HEAD", "for path in self.paths[rows]:").replace("END", end)
    found = paired(body)
    assert found is not None
    assert found.endswith(f"return np.array(images), {after}")


def test_a_loop_that_counts_takes_the_label_by_its_number() -> None:
    body = """
        start, stop = index * 4, index * 4 + 4
        labels = self.labels[start:stop]
        images = []
        for row in range(start, stop):
            image = np.load(self.paths[row])
            if image.max() == 0:
                continue
            images.append(image)
        return np.array(images), labels
        """
    found = paired(body)
    assert found is not None
    assert "kept_labels.append(self.labels[row])" in found
    assert "labels = self.labels[start:stop]" not in found


def test_a_label_that_is_collected_first_moves_behind_its_sample_with_its_comments() -> None:
    before = """
for path, label in self.items[index:]:
    # as a number
    labels.append(int(label))  # not text
    try:
        images.append(np.load(path))
    except OSError:
        continue
"""
    after = """
for path, label in self.items[index:]:
    try:
        images.append(np.load(path))
        # as a number
        labels.append(int(label))  # not text
    except OSError:
        continue
"""
    start, end = "images, labels = [], []", "return np.array(images), np.array(labels)"
    assert paired(f"{start}{before}{end}") == f"{start}{after}{end}"


REFUSED = {
    "other rows": BODY.replace("HEAD", "for path in self.paths[: index * 4]:").replace("END", "labels"),
    "labels read in the loop": BODY.replace("HEAD", "for path in self.paths[rows]:\n    print(labels)").replace("END", "labels"),
    "a mask that can fail too": "images, masks = [], []\nfor one, two in self.items[index:]:\n    try:\n        images.append(self.read(one))\n"
    "        masks.append(self.read(two))\n    except OSError:\n        continue\nreturn np.array(images), np.array(masks)",
    "a label that changes": "images, labels = [], []\nfor path, label in self.items[index:]:\n    labels.append(label)\n    label = np.load(path)\n"
    "    if label.max() == 0:\n        continue\n    images.append(label)\nreturn np.array(images), np.array(labels)",
}  # fmt: skip


@pytest.mark.parametrize("body", REFUSED.values(), ids=REFUSED)
def test_it_is_not_offered_where_the_shape_is_not_plain(body: str) -> None:
    assert paired(body) is None
