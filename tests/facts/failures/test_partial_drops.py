"""Losses: what one part of a batch loses and another keeps; silent wherever the two may stay together."""

from __future__ import annotations

import pytest

from tests.facts.feed import generator, sequence

SLICES = "rows = slice(index * 4, index * 4 + 4)\n"
READ = "image = np.load(path)\n"


def loop(*inside: str, after: str = "return np.array(images), self.labels[rows]") -> str:
    lines = "\n".join(f"    {line}" for part in inside for line in part.rstrip("\n").split("\n"))
    return f"{SLICES}images = []\nfor path in self.paths[rows]:\n{lines}\n{after}"


TRY = "try:\n    image = np.load(path)\nexcept {}:\n    continue\nimages.append(image)"
KEEPS = {
    "narrow handler": (loop(TRY.format("OSError")), "self.labels[rows]"),
    "broad handler": (loop(TRY.format("Exception")), "self.labels[rows]"),
    "handler that breaks": (loop(TRY.format("OSError").replace("continue", "break")), "self.labels[rows]"),
    "handler that runs off": (loop("try:\n    images.append(np.load(path))\nexcept OSError:\n    print(path)"), "self.labels[rows]"),
    "else of a try": (loop("try:\n    image = np.load(path)\nexcept OSError:\n    pass\nelse:\n    images.append(image)"), "self.labels[rows]"),
    "filter": (loop(READ, "if image.max() == 0:\n    continue\nimages.append(image)"), "self.labels[rows]"),
    "filter turned round": (loop(READ, "if image.max() > 0:\n    images.append(image)"), "self.labels[rows]"),
    "cast and scaled": (
        loop(TRY.format("OSError"), after='return np.array(images).astype("float32") / 255.0, self.labels[rows]'),
        "self.labels[rows]",
    ),
    "rebound": (
        loop(TRY.format("OSError"), after="images = np.stack(images)\nlabels = self.labels[rows]\nlabels = np.array(labels)\nreturn images, labels"),
        "self.labels[rows]",
    ),
    "dicts": (
        loop(TRY.format("OSError"), after='return {"image": np.array(images)}, {"label": self.labels[rows]}'),
        "self.labels[rows]",
    ),
    "several inputs": (
        loop(TRY.format("OSError"), after="return (np.array(images), self.sizes[rows]), self.labels[rows]"),
        "self.sizes[rows]",
    ),
    "comprehension of labels": (
        loop(TRY.format("OSError"), after="return np.array(images), np.array([self.known[p] for p in self.paths[rows]])"),
        "[self.known[p] for p in self.paths[rows]]",
    ),
    "comprehension with a condition": (
        f"{SLICES}return np.array([np.load(p) for p in self.paths[rows] if self.exists(p)]), self.labels[rows]",
        "self.labels[rows]",
    ),
    "filter by what a sample measures": (
        loop(READ, "if len(path) > 3:\n    images.append(image)"),
        "self.labels[rows]",
    ),
    "mask": (
        f"{SLICES}x = self.x[rows]\nx = x[~np.isnan(x).any(axis=1)]\nreturn x, self.labels[rows]",
        "self.labels[rows]",
    ),
    "mask with a name": (
        f"{SLICES}x = self.x[rows]\ny = self.labels[rows]\ngood = (x > 0) & np.isfinite(x)\nreturn x[good], y",
        "self.labels[rows]",
    ),
    "label collected first": (
        loop("labels.append(self.known[path])", TRY.format("OSError"), after="return np.array(images), np.array(labels)")
        .replace("images = []", "images, labels = [], []"),
        "labels.append(self.known[path])",
    ),
    "label collected first in the try": (
        loop(
            "try:\n    labels.append(self.known[path])\n    images.append(np.load(path))\nexcept OSError:\n    pass",
            after="return np.array(images), np.array(labels)",
        ).replace("images = []", "images, labels = [], []"),
        "labels.append(self.known[path])",
    ),
    "labels collected in a loop of their own": (
        loop(
            TRY.format("OSError"),
            after="labels = []\nfor path in self.paths[rows]:\n    labels.append(self.known[path])\nreturn np.array(images), np.array(labels)",
        ),
        "labels.append(self.known[path])",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("body", "label"), KEEPS.values(), ids=KEEPS)
def test_a_part_that_keeps_what_another_loses_is_found(body: str, label: str) -> None:
    facts = sequence(body)
    assert facts.text(facts.partial_drops.all[0].label.node) == label


TOGETHER = {
    "both behind the handler": loop(
        TRY.format("Exception") + "\nlabels.append(self.known[path])", after="return np.array(images), np.array(labels)"
    ).replace("images = []", "images, labels = [], []"),
    "both in the try": loop(
        "try:\n    images.append(np.load(path))\n    labels.append(self.known[path])\nexcept OSError:\n    pass",
        after="return np.array(images), np.array(labels)",
    ).replace("images = []", "images, labels = [], []"),
    "kept rows": loop(
        TRY.format("OSError") + "\nkept.append(path)",
        after="return np.array(images), np.array([self.known[path] for path in kept])",
    ).replace("images = []", "images, kept = [], []"),
    "a mask": loop(
        "try:\n    images.append(np.load(path))\nexcept OSError:\n    good[path] = False",
        after="return np.array(images), self.labels[rows][good]",
    ).replace("images = []", "images, good = [], self.all_good()"),
    "deleted rows": loop(
        "try:\n    images.append(np.load(path))\nexcept OSError:\n    bad.append(path)",
        after="return np.array(images), np.delete(self.labels[rows], bad)",
    ).replace("images = []", "images, bad = [], []"),
    "taken out": loop(
        "try:\n    images.append(np.load(path))\nexcept OSError:\n    labels.pop(len(images))",
        after="return np.array(images), np.array(labels)",
    ).replace("images = []", "images, labels = [], self.labels[rows]"),
    "a substitute": loop(
        "try:\n    images.append(np.load(path))\nexcept OSError:\n    images.append(self.blank)"
    ),
    "raised": loop("try:\n    images.append(np.load(path))\nexcept OSError as error:\n    raise ValueError(path) from error"),
    "raised at times": loop(
        "try:\n    images.append(np.load(path))\nexcept OSError:\n    if self.strict:\n        raise\n    continue"
    ),
    "inputs alone": loop(TRY.format("OSError"), after="return np.array(images)"),
    "the same array twice": loop(TRY.format("OSError"), after="images = np.array(images)\nreturn images, images"),
    "a mode": loop("if self.training:\n    continue\nimages.append(np.load(path))"),
    "an end": f"{SLICES}images = []\nfor row in range(4):\n    place = index * 4 + row\n    if place < self.size:\n"
    "        images.append(self.read(place))\nreturn np.array(images), self.labels[rows]",
    "frames of a clip": f"{SLICES}clips = []\nfor name in self.names[rows]:\n    frames = []\n    for path in self.frames[name]:\n"
    "        if path in self.broken:\n            continue\n        frames.append(np.load(path))\n    clips.append(np.stack(frames))\n"
    "return np.array(clips), self.labels[rows]",
    "both filtered": f"{SLICES}good = [p for p in self.paths[rows] if self.exists(p)]\n"
    "return np.array([np.load(p) for p in good]), np.array([self.known[p] for p in good])",
    "one by its end": f"{SLICES}return np.array([self.read(r) for r in range(9) if r < len(self.paths)]), self.labels[rows]",
    "both masked": f"{SLICES}x, y = self.x[rows], self.labels[rows]\ngood = np.isfinite(x)\nreturn x[good], y[good]",
    "both masked in a branch": f"{SLICES}x = self.x[rows]\ny = self.labels[rows]\nif self.clean:\n"
    "    good = np.isfinite(x)\n    x = x[good]\n    y = y[good]\nreturn x, y",
    "masked columns": f"{SLICES}x = self.x[rows]\nx = x[:, np.isfinite(x).any(axis=0)]\nreturn x, self.labels[rows]",
    "a mask that is written to": f"{SLICES}x = self.x[rows]\nx[np.isnan(x)] = 0\nreturn x, self.labels[rows]",
    "targets from what is left": f"{SLICES}x = self.x[rows]\nx = x[x > 0]\nreturn x, np.ones(len(x))",
    "rows by number": f"{SLICES}x = self.x[rows]\nx = x[np.argsort(x)]\nreturn x, self.labels[rows]",
    "never None": loop(READ, "if image is None:\n    continue\nimages.append(image)"),
}  # fmt: skip


@pytest.mark.parametrize("body", TOGETHER.values(), ids=TOGETHER)
def test_parts_that_may_stay_together_are_no_loss(body: str) -> None:
    assert not sequence(body).partial_drops.all


def test_the_loss_and_the_label_may_be_in_different_helpers() -> None:
    facts = sequence(
        """
        chosen = self.items[index * 8 : index * 8 + 8]
        return self.__images(chosen), self.__labels(chosen)
        """,
        """
        def __images(self, names):
            found = []
            for name in names:
                try:
                    found.append(np.load(name))
                except OSError:
                    continue
            return np.stack(found)

        def __labels(self, names):
            return np.array([self.known[name] for name in names])
        """,
    )
    (loss,) = facts.partial_drops.all
    assert facts.text(loss.label.node) == "[self.known[name] for name in names]"
    assert loss.cause is None


def test_two_calls_of_one_helper_lose_samples_of_their_own() -> None:
    facts = sequence(
        "return self.read(self.images[index:]), self.read(self.masks[index:])",
        """
        def read(self, names):
            found = []
            for name in names:
                try:
                    found.append(np.load(name))
                except OSError:
                    continue
            return np.stack(found)
        """,
    )
    (loss,) = facts.partial_drops.all
    assert facts.text(loss.label.node) == "self.read(self.masks[index:])"


def test_a_filter_on_none_leads_to_the_broad_handler_in_the_helper() -> None:
    facts = sequence(
        """
        images = [self.read(path) for path in self.paths[index:]]
        images = [image for image in images if image is not None]
        return np.array(images), self.labels[index:]
        """,
        """
        def read(self, path):
            try:
                return np.load(path)
            except Exception:
                return None
        """,
    )
    (loss,) = facts.partial_drops.all
    assert loss.cause is not None
    assert loss.cause.broad


GENERATOR = """
while True:
    for start in range(0, len(paths), size):
        images = []
        for path in paths[start : start + size]:
            try:
                images.append(np.load(path))
            except OSError:
                pass
        yield np.array(images), labels[start : start + size]
"""


def test_a_generator_makes_batches_where_it_reaches_a_model() -> None:
    facts = generator(GENERATOR)
    assert [facts.text(loss.label.node) for loss in facts.partial_drops.all] == ["labels[start : start + size]"]
    assert not generator(GENERATOR, "print(next(feed(PATHS, LABELS, 4)))").partial_drops.all
