"""MiniStack 1.5.33 decodes the path of a request to a REST API; AWS hands it on as it was sent. This gives it that.

With SENSORIUM_PATH_PARAMETERS=decoded it stays as it was: some emulators decode, and the service has to work on both.
"""

import os

from ministack import app
from ministack.services import apigateway_v1

SWITCH = "SENSORIUM_PATH_PARAMETERS"


def as_sent(handle):
    async def handled(host, path, method, headers, body, query_params, raw_path=None, **rest):
        api = app._parse_execute_api_url(host, path)
        is_rest = api is not None and apigateway_v1.find_api_scope(api[0]) is not None
        routed = raw_path if is_rest and raw_path is not None else path
        return await handle(host, routed, method, headers, body, query_params, raw_path=raw_path, **rest)

    return handled


def install():
    wanted = os.environ.get(SWITCH, "encoded")
    if wanted not in ("encoded", "decoded"):
        raise SystemExit(f"{SWITCH} must be encoded or decoded, not {wanted}")
    if wanted == "encoded":
        app._handle_execute_api_request = as_sent(app._handle_execute_api_request)
