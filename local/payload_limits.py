"""MiniStack 1.5.33 carries events and answers of any length; API Gateway and Lambda do not. This refuses as they do.

Measured is the JSON that Lambda is sent and that it answers: a body stands in it as a text, escaped once more.
"""

import json

from ministack.services import apigateway_v1

MAX_EVENT_BYTES = 6_291_456
MAX_ANSWER_BYTES = 6_291_556


class TooLong(Exception):
    pass


def size_of(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode(errors="surrogatepass"))


def within_limits(call):
    async def called(function_ref, event, **scope):
        if size_of(event) > MAX_EVENT_BYTES:
            raise TooLong(apigateway_v1._gw_error("REQUEST_TOO_LARGE", "Request Too Long"))
        result, error = await call(function_ref, event, **scope)
        if result is not None and size_of(result.get("body")) > MAX_ANSWER_BYTES:
            refused = json.dumps({"message": "Internal server error"}).encode()
            raise TooLong((502, {"Content-Type": "application/json"}, refused))
        return result, error

    return called


def refusing(invoke):
    async def invoked(*args, **named):
        try:
            return await invoke(*args, **named)
        except TooLong as too_long:
            return too_long.args[0]

    return invoked


def install():
    apigateway_v1._call_lambda_raw = within_limits(apigateway_v1._call_lambda_raw)
    apigateway_v1._invoke_lambda_proxy_v1 = refusing(apigateway_v1._invoke_lambda_proxy_v1)
