"""Prints what botocore signs for the paths that a URL may have: the file canonical-paths.json.

    .sensorium/python/bin/python test/client/canonical-paths.py > test/client/canonical-paths.json

Any Python that has botocore will do. The unit tests hold our signatures against the file, and a test against the emulator
holds the file against the botocore that is there.
"""

import json

import botocore
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

ALLOWED = "-._~!$&'()*+,;=:@"
"""What RFC 3986 allows raw in a segment of a path, beside letters and digits."""

ENCODED = [f"%{ord(sign):02X}" for sign in ALLOWED + ' "#%/<>?[\\]^`{|}'] + ["%C3%A4", "%E2%80%A6", "%3a"]
SEGMENTS = [*ALLOWED, ALLOWED, *ENCODED, "b:c=d+e@f_g~1", "b%3Ac%3Dd%2Be%40f_g~1"]

EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
"""SHA-256 of no body."""


def signed(path: str) -> dict:
    date = "20240101T000000Z"
    request = AWSRequest("GET", f"https://api.test{path}", {"X-Amz-Date": date, "X-Amz-Content-SHA256": EMPTY})
    request.context["timestamp"] = date
    auth = SigV4Auth(Credentials("AKIDEXAMPLE", "secret"), "execute-api", "eu-west-1")
    canonical = auth.canonical_request(request)
    signature = auth.signature(auth.string_to_sign(request, canonical), request)
    return {"path": path, "canonical": canonical.split("\n")[1], "signature": signature}


paths = [signed(f"/live/v1/tasks/a{segment}z/ready") for segment in SEGMENTS]
print(json.dumps({"botocore": botocore.__version__, "paths": paths}, indent=2))
