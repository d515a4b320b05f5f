"""Runs MiniStack for as long as the standard input stays open.

The parent process holds the other end. However it ends, also when it is killed, the emulator, its Lambdas and its
folder of temporary files (TMPDIR) go with it.
"""

import atexit
import os
import shutil
import signal
import sys
import threading
import time

import encoded_paths
import partiql_streams
import payload_limits
from ministack.app import main

GRACE_SECONDS = 5


def leave_nothing_behind() -> None:
    shutil.rmtree(os.environ["TMPDIR"], ignore_errors=True)
    # A Lambda in the middle of its work outlives the emulator; the process group, led by this process, does not.
    if os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)


def end_with_parent() -> None:
    while os.read(0, 4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(GRACE_SECONDS)
    leave_nothing_behind()


# Registered first, so it runs last.
atexit.register(leave_nothing_behind)
threading.Thread(target=end_with_parent, daemon=True).start()
encoded_paths.install()
partiql_streams.install()
payload_limits.install()
sys.argv = ["ministack"]
main()
