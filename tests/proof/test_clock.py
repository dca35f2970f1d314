"""Times of a run and durations go out of a text, and nothing else does."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from seqlint.proof.recorder.clock import untimed

NOW = datetime(2031, 3, 5, 14, 7, 42, 123456)
RUN = (NOW.timestamp() - 20, NOW.timestamp() + 20)


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S.%f", "%Y%m%d-%H%M%S", "%Y%m%d_%H%M", "%Y%m%d%H%M%S", "%c", "%H:%M", "%H:%M:%S", "%d/%m/%Y",
        "%b %d, %Y %I:%M %p", "%a, %d %b %Y", "%Y-%m-%d_%H-%M-%S", "logs/%Y%m%d-%H%M%S/train", "%s", "%s000", "%Y-%m-%d %H:%M:%S,123",
    ],
)  # fmt: skip
def test_the_clock_of_two_runs_reads_the_same(form: str) -> None:
    later = timedelta(days=7, hours=3, minutes=11, seconds=13)
    told = [
        untimed(f"before {(NOW + shift).strftime(form)} after", (RUN[0] + shift.total_seconds(), RUN[1] + shift.total_seconds()))
        for shift in (timedelta(), later)
    ]  # fmt: skip
    assert told[0] == told[1]
    assert told[0].startswith("before ")
    assert told[0].endswith(" after")


def test_the_time_in_greenwich_is_one_too() -> None:
    text = NOW.astimezone(timezone.utc).isoformat()
    assert "14:07" not in untimed(text, RUN)
    assert "03-05" not in untimed(text, RUN)


@pytest.mark.parametrize(
    "text",
    [
        "recorded on 2019-07-01 at 03:15:00", "3 of 14 rows", "accuracy 0.1407", "row 20310 of 20411", "epoch 1 of 3: loss 0.25 s2",
        "the clip lasts 12 s", "sampled at 16000 Hz", "ratio 14:9", "version 2031.4", "1234567890 parameters", "step 0:00:01",
        "learning rate 1e-05", "5 hours of data in 3 files", "timesteps 30", "timed 7 times",
    ],
)  # fmt: skip
def test_what_is_no_time_of_the_run_stays(text: str) -> None:
    assert untimed(text, RUN) == text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("training took 0 s", "training took 1 s"),
        ("took 1.2 ms for 10 rows", "took 900 µs for 10 rows"),
        ("Elapsed: 0:00:01.250000", "Elapsed: 0:00:59.750001"),
        ("finished in 59 seconds", "finished in 2.5 min"),
        ("10 rows, 812.5 samples/s", "10 rows, 12 samples/s"),
        ("time: 0.12345, loss: 0.5", "time: 1.5e-05, loss: 0.5"),
        ("elapsed time 12.50", "elapsed time 3.75"),
    ],
)
def test_durations_are_all_the_same(one: str, other: str) -> None:
    assert untimed(one, RUN) == untimed(other, RUN)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("took 1 s for 10 rows", "took 1 s for 9 rows"),
        ("time: 0.12345, loss: 0.5", "time: 0.12345, loss: 0.6"),
        ("fold 1 took 3 s", "fold 2 took 3 s"),
        ("2 epochs done in 3 s", "3 epochs done in 3 s"),
    ],
)
def test_what_stands_near_a_duration_stays(one: str, other: str) -> None:
    assert untimed(one, RUN) != untimed(other, RUN)
