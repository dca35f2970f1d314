"""What progress bars say at their end is compared, and how often they were drawn is not."""

from __future__ import annotations

import pytest

from seqlint.proof.recorder.texts import printed

LONG_AGO = (86400.0, 86410.0)


def shown(text: str) -> list[str]:
    return printed(text, "/tmp/run/program", LONG_AGO).splitlines()


@pytest.mark.parametrize(
    ("bars", "last"),
    [
        ("  0%|          | 0/6 [00:00<?, ?it/s]\r 50%|###   | 3/6 [00:01<00:01, 2.5it/s, loss=0.7]\r100%|######| 6/6 [00:02<00:00, 2.9it/s, loss=0.5]",
         "6/6 loss=0.5"),
        ("fold 1:  50%|#####     | 1/2 [00:00<00:00, 11.09it/s]\rfold 1: 100%|##########| 2/2 [00:00<00:00, 11.1it/s]", "fold 1: 2/2"),
        ("1/5 ━━━━ 4s 1s/step - loss: 0.9\b\b\b\n5/5 ━━━━━━━━━━━━━━━━━━━━ 0s 2ms/step - loss: 0.5 - val_loss: 0.4", "5/5 loss: 0.5 val_loss: 0.4"),
        ("1/5 [=====>....] - ETA: 0:02 - loss: 0.9\r5/5 [==========] - 1s 20ms/step - loss: 0.5", "5/5 loss: 0.5"),
        ("1/5 - 1s - 20ms/step - loss: 0.5", "1/5 loss: 0.5"),
        ("0it [00:00, ?it/s]\r7it [00:01, 5.31it/s]", "7it/?"),
    ],
)  # fmt: skip
def test_of_a_bar_with_times_the_last_line_counts_alone(bars: str, last: str) -> None:
    assert shown(bars) == [last]


def test_each_of_several_bars_counts() -> None:
    text = "\r".join(
        f"epoch {epoch}: {50 * at}%|##| {at}/2 [00:0{at}<00:00, 2it/s, loss={epoch / 10}]"
        for epoch in (1, 2)
        for at in (0, 1, 2)
    )
    assert shown(text) == ["epoch 1: 2/2 loss=0.1", "epoch 2: 2/2 loss=0.2"]
    again = "100%|##| 2/2 [00:01<00:00, 2it/s, loss=0.1]\r100%|##| 1/2 [00:01<00:00, 2it/s]\r100%|##| 2/2 [00:01<00:00, 2it/s, loss=0.3]"
    assert shown(again) == ["2/2 loss=0.1", "2/2 loss=0.3"]


@pytest.mark.parametrize(
    "line",
    [
        "3/10 [===>   ] loss 0.5",
        "Epoch 1/3",
        "3 samples",
        "10/12 [Mon] rows are left",
        "| a | 3/4 [kept] |",
        "1/2 of all",
    ],
)
def test_a_line_that_only_looks_like_progress_is_a_line(line: str) -> None:
    assert shown(line) == [line]


def test_the_lines_of_a_program_around_a_bar_stay_where_they_are() -> None:
    text = "begin\n 50%|# | 1/2 [00:00<00:00, 2it/s]\n100%|##| 2/2 [00:00<00:00, 2it/s]\nloss 0.5\nend"
    assert shown(text) == ["begin", "2/2", "loss 0.5", "end"]
