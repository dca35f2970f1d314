"""What holds for all tests."""

import signal

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would all that they start: some tests send it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
