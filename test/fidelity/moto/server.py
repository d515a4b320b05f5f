"""moto's server on a port of its own; it prints the port, and ends with its stdin.

Each line of stdin is a JSON command, answered by a line of JSON:
{"step": id, "state": text}: sets the state of a step, since moto's steps end by themselves never.
{"policy": document}: a user's new keys; from then on each call is judged, and one without known keys is refused.
"""

import json
import sys

from moto import settings
from moto.emr.models import emr_backends
from moto.iam.models import iam_backends
from moto.moto_server.threaded_moto_server import ThreadedMotoServer

ACCOUNT = "123456789012"
REGION = "us-east-1"


def set_state(step_id, state):
    clusters = emr_backends[ACCOUNT][REGION].clusters.values()
    for step in (step for cluster in clusters for step in cluster.steps):
        if step.id == step_id:
            step.state = state
    return {}


def add_user(policy):
    iam = iam_backends[ACCOUNT]["aws"]
    iam.create_user(region_name=REGION, user_name="sensor", path="/", tags=[])
    iam.put_user_policy("sensor", "what-it-may", json.dumps(policy))
    key = iam.create_access_key("sensor")
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    return {"accessKeyId": key.access_key_id, "secretAccessKey": key.secret_access_key}


def answer(command):
    if "step" in command:
        return set_state(command["step"], command["state"])
    return add_user(command["policy"])


server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
server.start()
print(json.dumps({"port": server.get_host_and_port()[1]}), flush=True)
for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
server.stop()
