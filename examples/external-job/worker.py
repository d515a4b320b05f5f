"""Does the work of an `external` task: runs a command for each try, and says that it lives while the command runs.

    python examples/external-job/worker.py TASK_ID -- COMMAND...

Needs botocore and nothing else. Reads SENSORIUM_URL, AWS_REGION and the credentials that every AWS client reads; and
SENSORIUM_QUEUE, where it may run the tasks of that queue alone. Whether a try that failed is tried again is for the
service to say: the worker asks for the next try until there is none.
"""

import getpass
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import quote

import botocore.session
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

URL = os.environ["SENSORIUM_URL"].rstrip("/")
REGION = os.environ.get("AWS_REGION", "us-east-1")
QUEUE = os.environ.get("SENSORIUM_QUEUE")
TRIES = f"{URL}/execution/queues/{QUEUE}/task-instances" if QUEUE else f"{URL}/execution/task-instances"
HEARTBEAT_SECONDS = float(os.environ.get("HEARTBEAT_SECONDS", "20"))
"""A third of the task's `heartbeat_timeout`, or less."""

RAW = "!$&'()*+,;=:@"
"""What a path's segment may hold as it is, beside letters, digits and `-._~` (RFC 3986). It is sent as it is signed."""

SESSION = botocore.session.get_session()
ME = {"hostname": socket.gethostname(), "unixname": getpass.getuser(), "pid": os.getpid()}
OVER = {"success", "failed", "skipped", "removed"}


def call(method: str, task_id: str, what: str, body: dict) -> tuple[int, dict]:
    """One signed request. Repeated while nobody knows how it went: every call of the execution API may be."""
    url = f"{TRIES}/{quote(task_id, safe=RAW)}/{what}"
    data = json.dumps(body).encode()
    for pause in (1, 2, 4, 8, 16):
        signed = AWSRequest(method=method, url=url, data=data, headers={"Content-Type": "application/json"})
        SigV4Auth(SESSION.get_credentials().get_frozen_credentials(), "execute-api", REGION).add_auth(signed)
        request = urllib.request.Request(url, data=data, headers=dict(signed.headers), method=method)
        try:
            with urllib.request.urlopen(request, timeout=35) as answer:
                return answer.status, json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as refusal:
            if refusal.code != 429 and refusal.code < 500:
                return refusal.code, json.loads(refusal.read() or b"{}")
        except OSError:
            pass
        time.sleep(pause)
    sys.exit(f"{method} {url} was not answered")


def begin(task_id: str) -> dict | None:
    """The next try, as soon as it may begin; None when there is none."""
    while True:
        status, answer = call("PATCH", task_id, "run", ME)
        if status == 200:
            return answer
        if answer.get("reason") == "invalid_state" and answer["previous_state"] not in OVER:
            time.sleep(1)
            continue
        print(f"{task_id}: {answer.get('previous_state') or answer}", flush=True)
        return None


def work(run: dict, command: list[str]) -> bool:
    """One try. Whoever is told that it is no longer his (409, 410) stops: somebody else may be at it."""
    process = subprocess.Popen(command)
    while True:
        try:
            code = process.wait(HEARTBEAT_SECONDS)
            break
        except subprocess.TimeoutExpired:
            status, answer = call("PUT", run["try_id"], "heartbeat", {"hostname": ME["hostname"], "pid": ME["pid"]})
            if status != 204:
                process.kill()
                process.wait()
                print(f"{run['try_id']} is not ours any more: {answer}", flush=True)
                return False
    ended = {"state": "success"} if code == 0 else {"state": "failed", "reason": f"exit code {code}"}
    # With the id of the try: what comes late ends no other one.
    call("PATCH", run["try_id"], "state", ended)
    print(f"{run['try_id']}: {ended}", flush=True)
    return code == 0


def main() -> int:
    task_id, _, *command = sys.argv[1:]
    if task_id in {"", ".", ".."}:
        sys.exit(f"{task_id!r} is no task's id: a URL cannot carry it")
    while run := begin(task_id):
        if work(run, command):
            return 0
    return 1


if __name__ == "__main__":
    sys.exit(main())
