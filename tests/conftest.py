"""What all tests rely on."""

import signal

# A shell starts what it puts in the background with Ctrl-C ignored, and all that starts from there
# inherits it: tests that press Ctrl-C need it back.
for number in (signal.SIGINT, signal.SIGHUP):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)
signal.signal(signal.SIGINT, signal.default_int_handler)
