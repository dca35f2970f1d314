"""Codemods of what a program tells and keeps when it has trained: files, lines, logs, values, and what comes at its end."""

from __future__ import annotations

from tests.proof.codemods.codemod import At, Right, Unseen, Wrong
from tests.proof.codemods.programs import REPORTED

SAVED = 'model.save("model.keras")\n'
TRAINED = "model.fit(rows, labels, batch_size=options.size, epochs=2, shuffle=False, verbose=0)\n"
LAST = 'atexit.register(print, "the program has ended")\n'

WRONG_REPORTS = (
    Wrong(
        "predictions are written beside other numbers",
        REPORTED,
        {"{number},{score": "{number + 1},{score"},
        {"output": At("what is in submission.csv, line 1", "0,…", "1,…")},
        same="samples weights history state",
    ),
    Wrong(
        "the model is saved before it is trained",
        REPORTED,
        {TRAINED + SAVED: SAVED + TRAINED},
        {"output": At("what is in model.keras")},
        same="samples weights history state",
    ),
    Wrong(
        "a line is changed that looks like one of Keras",
        REPORTED,
        {"Epoch 2/2": "Epoch 1/2"},
        {"output": At("line 1", "Epoch 2/2", "Epoch 1/2")},
    ),
    Wrong(
        "a number is changed that stands beside a time",
        REPORTED,
        {"line {len(rows)}": "line {len(rows) - 1}"},
        {"output": At("line 2", "line 10 of the table after # s", "line 9 of the table after # s")},
    ),
    Wrong(
        "another folder is read",
        REPORTED,
        {"/data/train/": "/data/test/"},
        {"output": At("line 3", "read /data/train/table.csv", "read /data/test/table.csv")},
    ),
    Wrong(
        "another number is logged",
        REPORTED,
        {'rows", len(rows)': 'rows", len(rows) - 1'},
        {"output": At("error stream, line 1", "INFO:root:10 rows", "INFO:root:9 rows")},
    ),
    Wrong(
        "a thread that outlives the program tells something else",
        REPORTED,
        {"the thread has": "the thread had"},
        {"output": At("line 4", "the thread has ended", "the thread had ended")},
    ),
    Wrong(
        "a function that Python calls at the end is lost",
        REPORTED,
        {LAST: ""},
        {"output": At("line 5", "the program has ended", "nothing")},
    ),
    Wrong(
        "a batch of other rows is predicted",
        REPORTED,
        {"scored(rows[:4])": "scored(rows[1:5])"},
        {"history": At("predict_on_batch 1, 0")},
        same="samples weights output state",
    ),
    Wrong(
        "a counter is off by one beside a clock",
        REPORTED,
        {", 5000": ", 5001"},
        {"state": At("count", 5000, 5001)},
    ),
    Wrong(
        "a queue and a list with a model in it hold other values",
        REPORTED,
        {"deque([1, 2])": "deque([1, 3])", "(model, 2)": "(model, 3)"},
        {"state": At("recent[1]", 2, 3)},
    ),
    Wrong(
        "an object of the program keeps another value",
        REPORTED,
        {'print("Epoch': 'options.size = print("Epoch'},
        {"state": At("options.size", "5", "None")},
        same="samples weights history output",
    ),
)

UNSEEN_REPORTS = (
    Unseen(
        "a function that is never called is broken, and an import comes with it",
        REPORTED,
        {"import logging\n": "import logging\nimport random\n", "return np.mean(rows)": "return random.random()"},
    ),
)

RIGHT_REPORTS = (
    Right(
        "a file is written by print",
        REPORTED,
        {'file.write(f"{number},{score:.4f}\\n")': 'print(number, f"{score:.4f}", sep=",", file=file)'},
    ),
    Right(
        "a model is saved in another way",
        REPORTED,
        {SAVED: 'keras.models.save_model(model, filepath="model.keras")\n'},
    ),
    Right(
        "a format in place of an f-string, beside a time",
        REPORTED,
        {
            'print(f"line {len(rows)} of the table after {time.perf_counter() - started:.9f} s")': (
                'print("line {} of the table after {:.9f} s".format(len(rows), time.perf_counter() - started))'
            )
        },
    ),
    Right(
        "a logger in place of the root",
        REPORTED,
        {"logging.info(": "logging.getLogger().info("},
    ),
    Right(
        "what comes at the end gets names",
        REPORTED,
        {
            LAST: "@atexit.register\ndef end():\n    print('the program has ended')\n",
            "threading.Thread(target=print,": "threading.Thread(None, print,",
        },
    ),
)
