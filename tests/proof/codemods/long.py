"""Codemods of programs that are too long to be run whole: fits in a loop, of which only the first are run."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Wrong
from tests.proof.programs import FEED

LOOP = "for epoch in range(40):\n    history = model.fit(feed, epochs=1, shuffle=False, verbose=0)\n"
LONG = FEED + LOOP + "print(epoch, f\"{history.history['loss'][0]:.3f}\")\n"

WRONG_LONG = (
    Wrong(
        "a loop of fits is shorter",
        LONG,
        {"range(40)": "range(4, 40)"},
        {
            "stop": At(
                "fit 10", "…30 more calls in this place were not run", "…26 more calls in this place were not run"
            )
        },
        same="samples weights history",
    ),
    Wrong(
        "every second fit of a loop is lost",
        LONG,
        {"range(40)": "range(0, 40, 2)"},
        {
            "stop": At(
                "fit 10", "…30 more calls in this place were not run", "…10 more calls in this place were not run"
            )
        },
    ),
)

RIGHT_LONG = (
    Right(
        "a loop of fits has another form",
        LONG,
        {
            LOOP: "for epoch, _ in enumerate(range(40)):\n    history = model.fit(feed, epochs=1, shuffle=False, verbose=0)\n"
        },
    ),
)
