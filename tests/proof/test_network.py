"""A run can't reach the network, and says so at once; what is on this machine works."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from seqlint.proof import Pair, Settings, missing, prove_pair

if TYPE_CHECKING:
    from pathlib import Path

    from seqlint.proof import Worker

pytestmark = [
    pytest.mark.tensorflow,
    pytest.mark.skipif(bool(missing(Settings())), reason="TensorFlow is not installed"),
]
REACH = """
import socket
import subprocess
import sys
import urllib.request


def tried(call):
    try:
        print(call(), "was reached")
    except Exception as error:
        print(type(error).__name__, error)


tried(lambda: urllib.request.urlopen("https://example.org/data.csv"))
tried(lambda: socket.create_connection(("192.0.2.7", 80)))
tried(lambda: socket.socket().connect_ex(("192.0.2.7", 80)))
tried(lambda: socket.socket(type=socket.SOCK_DGRAM).sendto(b"", ("192.0.2.7", 53)))
tried(lambda: socket.gethostbyname("example.org"))
fetch = "import urllib.request; urllib.request.urlopen('http://192.0.2.7/')"
print(subprocess.run([sys.executable, "-c", fetch], stderr=subprocess.PIPE, text=True).stderr.splitlines()[-1])
"""
LOCAL = """
import multiprocessing.managers
import socket
import socketserver
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, HTTPServer


class Hello(BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, *args):
        pass


server = HTTPServer(("127.0.0.1", 0), Hello)
threading.Thread(target=server.serve_forever, daemon=True).start()
for host in ("localhost", "127.0.0.1"):
    print(urllib.request.urlopen(f"http://{host}:{server.server_port}").read().decode())
one, other = socket.socketpair()
one.sendall(b"pair")
print(other.recv(4).decode())

import tensorflow as tf

service = tf.data.experimental.service
dispatcher = service.DispatchServer()
worker = service.WorkerServer(
    service.WorkerConfig(dispatcher_address=dispatcher.target.split("://")[1], heartbeat_interval_ms=100)
)
data = tf.data.Dataset.range(5).apply(service.distribute("parallel_epochs", dispatcher.target))
print(sorted(data.as_numpy_iterator()) == list(range(5)))
"""
CACHED = """
import os

os.environ["KERAS_HOME"] = {home!r}
from tensorflow import keras

path = keras.utils.get_file("data.csv", "https://example.org/data.csv", cache_dir={home!r})
print(open(path).read())
"""


def test_what_is_elsewhere_can_not_be_reached(child: Worker) -> None:
    lines = child.run(REACH, "program.py", None).output.splitlines()
    assert "the proof has no network: example.org port 443 can't be reached" in lines[0]
    assert ["192.0.2.7 port 80 can't be reached" in line for line in lines[1:3]] == [True, True]
    assert "192.0.2.7 port 53 can't be reached" in lines[3]
    assert "example.org can't be reached" in lines[4]
    assert "refused" in lines[5]  # at once, and not after a while


def test_what_is_on_this_machine_can(child: Worker) -> None:
    run = child.run(LOCAL, "program.py", None)
    assert run.output.splitlines() == ["hello", "hello", "pair", "True"], run.errors


def test_a_file_that_was_downloaded_before_is_used(child: Worker, tmp_path: Path) -> None:
    (tmp_path / "datasets").mkdir()
    (tmp_path / "datasets/data.csv").write_text("cached", "utf-8")
    assert child.run(CACHED.format(home=str(tmp_path)), "program.py", None).output == "cached"


def test_a_download_is_the_reason_why_nothing_is_proved(child: Worker, tmp_path: Path) -> None:
    program = CACHED.format(home=str(tmp_path))
    proof = prove_pair(Pair("program", program, program + "\n"), child)
    assert proof.outcome == "NOT RUN"
    assert "the proof has no network: example.org port 443 can't be reached" in proof.obstacle
