"""Codemods of what a program keeps outside of its folder: none of it is written for real, and all of it is compared."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Wrong
from tests.proof.programs import FEED

KEPT = (
    "import json\nimport pathlib\nimport sqlite3\n\n"
    + FEED
    + """
home = pathlib.Path("~").expanduser()
place = home / "scores"
place.mkdir(exist_ok=True)
history = model.fit(feed, epochs=2, shuffle=False, verbose=0)
(place / "rows.json").write_text(json.dumps({"rows": len(feed.rows), "sizes": [feed.size, 2]}))
with open(os.path.join(os.path.relpath(place), "log.txt"), "a") as file:
    file.write("trained\\n")
connection = sqlite3.connect(place / "runs.db")
connection.execute("create table if not exists runs (name, epochs)")
connection.execute("insert into runs values ('first', 2)")
connection.commit()
connection.close()
np.save(place / "labels.npy", feed.labels)
model.save(place / "last.keras")
os.symlink(place, "inside")
with open("inside/link.txt", "w") as file:
    file.write("through a link")
"""
)

WRONG_PLACES = (
    Wrong(
        "another number goes to the home folder",
        KEPT,
        {"[feed.size, 2]": "[feed.size, 3]"},
        {"output": At("what is in …/scores/rows.json", "…[4, 2]…", "…[4, 3]…")},
        same="samples weights history",
    ),
    Wrong(
        "a log is written anew in place of being gone on with",
        KEPT,
        {'file.write("trained\\n")': 'file.write("trained")'},
        {"output": At("what is in …/scores/log.txt, line …")},
    ),
    Wrong(
        "a row of a database has another value",
        KEPT,
        {"('first', 2)": "('first', 3)"},
        {"output": At("what is in …/scores/runs.db")},
    ),
    Wrong(
        "an array is kept in another order",
        KEPT,
        {"feed.labels)": "feed.labels[::-1])"},
        {"output": At("what is in …/scores/labels.npy")},
        same="samples weights history",
    ),
    Wrong(
        "a model is kept elsewhere",
        KEPT,
        {'place / "last.keras"': 'home / "last.keras"'},
        {"output": At("the file …")},
        same="samples weights history",
    ),
    Wrong(
        "a file reached by a link is another one",
        KEPT,
        {"inside/link.txt": "inside/links.txt"},
        {"output": At("the file …/scores/link.txt")},
    ),
)

RIGHT_PLACES = (
    Right(
        "a file in the home folder is written in another way",
        KEPT,
        {
            '(place / "rows.json").write_text(json.dumps({"rows": len(feed.rows), "sizes": [feed.size, 2]}))': (
                'with open(place / "rows.json", "w") as file:\n'
                '    json.dump({"rows": len(feed.rows), "sizes": [feed.size, 2]}, file)'
            )
        },
    ),
    Right(
        "a folder is named by its whole path",
        KEPT,
        {"os.path.join(os.path.relpath(place), ": "os.path.join(place, ", 'home / "scores"': 'home.joinpath("scores")'},
    ),
)
