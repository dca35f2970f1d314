"""Brings public projects of Keras 2 to Keras 3, and runs their programs before and after.

    PYTHONPATH=. python benchmarks/migrations.py FOLDER... [--only NAME] [--python PYTHON] [--out FILE] [--keep-both]

`migrations.toml` names the projects, their programs and arguments. FOLDER holds them, each as `owner+name`. A copy of each is migrated by
`seqlint migrate --write`; its programs run as smoke fits, a short one for each `fit`: the old text on tf-keras and on Keras 3, the new one
on Keras 3. `small_data/` gives the data sets of Keras. PYTHON has TensorFlow, tf-keras, scikit-learn, Matplotlib, pandas, seaborn, SciPy,
Pillow, OpenCV and tqdm. What was measured is kept in FILE, as JSON: a second run of the same old text takes from there what it did.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import tomllib

from seqlint.proof import Settings, place_of, program_for, workers
from seqlint.sources import Source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from seqlint.proof import KerasChoice, Run, Workers

HERE = Path(__file__).parent
RAN = "ran"
EPOCHS, STEPS, LIMIT_S = 1, 3, 150.0


@dataclass
class Told:
    """What became of one program: on tf-keras, and on Keras 3 before and after the migration; and the rows of the report that are left."""

    legacy: str = ""
    before: str = ""
    after: str = ""
    after_legacy: str = ""
    left: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Ways:
    """How programs are run."""

    lent: Workers
    python: str

    def run(self, top: Path, file: str, arguments: tuple[str, ...], keras: KerasChoice) -> str:
        """What comes of one program: `RAN`, or why it did not come to its end."""
        path = top / file
        data = path.read_bytes()
        text = Source.from_bytes(data, str(path)).text
        program = program_for(path, text, arguments)
        place = place_of(path, text, program, top, top)
        # These programs were written for Keras before 2.11, as most of their kind.
        program = replace(program, start=place.start, older=keras == "legacy")
        settings = Settings(keras=keras, epochs=EPOCHS, steps=STEPS, limit_s=LIMIT_S, python=self.python, replicas=1)
        return _outcome(self.lent.under(settings).run(data, place.script, place.folder, program))


def _outcome(run: Run) -> str:
    if run.recording is None or (run.status == "limit" and not run.trained):
        return run.detail or run.status
    error = run.recording["error"]
    if error is not None:
        line = run.recording["raised"][1]
        return f"{error['type']}: {' '.join(error['text'].split())[:400]} (line {line})"
    return RAN if run.recording["calls"] else "it runs no model"


def _projects(only: list[str]) -> Iterator[dict[str, Any]]:
    listed = tomllib.loads((HERE / "migrations.toml").read_text("utf-8"))
    yield from (one for one in listed["project"] if any(name.lower() in one["repository"].lower() for name in only))


def _folder(repository: str, folders: list[Path]) -> Path:
    """Where the text of a project is.

    Raises:
        FileNotFoundError: it is in none of the folders.
    """
    name = repository.replace("/", "+")
    return next(folder / name for folder in folders if (folder / name).is_dir())


def measured(
    project: dict[str, Any], source: Path, ways: Ways, known: dict[str, Told], *, both: bool
) -> Iterator[tuple[str, Told]]:
    """The programs of a project, and what became of each."""
    arguments = tuple(project.get("arguments", ()))
    with tempfile.TemporaryDirectory() as place:
        old, new = Path(place) / "old", Path(place) / "new"
        shutil.copytree(source / project.get("folder", ""), old, symlinks=True)
        if "make" in project:
            subprocess.run([sys.executable, "-c", project["make"]], cwd=old, check=True)
        shutil.copytree(old, new, symlinks=True)
        report = _migrate(new, project.get("migrate", ["."]), both=both)
        for file in project["files"]:
            told = known.get(file, Told())
            told.legacy = told.legacy or ways.run(old, file, arguments, "legacy")
            told.before = told.before or ways.run(old, file, arguments, "3")
            told.after = ways.run(new, file, arguments, "3") if report["changed"] else told.before
            told.after_legacy = ways.run(new, file, arguments, "legacy") if both else ""
            told.left = [
                f"{part}: {row['place']} {row['code']} {row['what']}"
                for part in ("by_hand", "not_covered", "unsure")
                for row in report[part]
                if row["path"] == file
            ]
            yield file, told


def _migrate(folder: Path, paths: list[str], *, both: bool) -> dict[str, Any]:
    both_lines = ["--keep-both"] if both else []
    command = [sys.executable, "-m", "seqlint", "migrate", "--write", "--allow-dirty", "--output-format", "json"]
    command += [*both_lines, "--", *paths]
    environment = {**os.environ, "PYTHONPATH": str(HERE.parent)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def table(found: dict[str, dict[str, Told]], commits: dict[str, str]) -> Iterator[str]:
    """The table of docs/migration.md."""
    yield "| project | commit | programs | run on tf-keras | of these on Keras 3 before | after | of the others after |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    sums = [0] * 5
    for name, programs in sorted(found.items(), key=lambda one: one[0].lower()):
        ran = [one for one in programs.values() if one.legacy == RAN]
        late = sum(one.legacy != RAN and one.after == RAN for one in programs.values())
        on_3 = [sum(getattr(one, when) == RAN for one in ran) for when in ("before", "after")]
        row = [len(programs), len(ran), *on_3, late]
        sums = [total + one for total, one in zip(sums, row, strict=True)]
        yield f"| {name} | {commits.get(name, '')[:10]} | {' | '.join(map(str, row))} |"
    yield f"| all | | {' | '.join(map(str, sums))} |"


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--only", nargs="*", default=[""])
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--out", type=Path, default=Path("migrations.json"))
    parser.add_argument("--keep-both", action="store_true")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE / "small_data")
    kept = json.loads(options.out.read_text("utf-8")) if options.out.exists() else {}
    found = {name: {file: Told(**told) for file, told in programs.items()} for name, programs in kept.items()}
    commits = {}
    with workers() as lent:
        for project in _projects(options.only):
            name = project["repository"]
            commits[name] = project.get("commit", "")
            print(name, flush=True)
            source = _folder(name, options.folders)
            ways = Ways(lent, options.python)
            known = found.setdefault(name, {})
            for file, told in measured(project, source, ways, known, both=options.keep_both):
                known[file] = told
                print(
                    f"  {file}", *(f"    {when}: {what}" for when, what in asdict(told).items()), sep="\n", flush=True
                )
                kept = {name: {file: asdict(one) for file, one in programs.items()} for name, programs in found.items()}
                options.out.write_text(json.dumps(kept, indent=1), "utf-8")
    print("\n".join(table({name: found[name] for name in commits}, commits)))


if __name__ == "__main__":
    main()
