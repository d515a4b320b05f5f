"""Waits with Airflow's stock operators for HTTP: one submits, a sensor asks `/ready`, 404 until the task has ended.

Wants the connection `sensorium`, of type http, with the API's URL (output `ApiUrl`) as its host. Requests are signed
with the credentials of the connection `aws_default`.
"""

import os
from datetime import timedelta
from typing import Any

from airflow.providers.amazon.aws.hooks.base_aws import AwsBaseHook
from airflow.providers.http.operators.http import HttpOperator
from airflow.providers.http.sensors.http import HttpSensor
from airflow.sdk import DAG, Param
from airflow.sdk.bases.sensor import PokeReturnValue
from airflow.sdk.exceptions import AirflowFailException, AirflowSkipException
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from requests import PreparedRequest, Response
from requests.auth import AuthBase

POLL_SECONDS = int(os.environ.get("SENSORIUM_POLL_SECONDS", "60"))


class Signed(AuthBase):
    """Signs a request for API Gateway. Credentials are asked for anew each time: those of a role run out."""

    def __call__(self, request: PreparedRequest) -> PreparedRequest:
        hook = AwsBaseHook(client_type="apigateway")
        region = hook.region_name or os.environ.get("AWS_REGION") or os.environ["AWS_DEFAULT_REGION"]
        signed = AWSRequest(method=request.method, url=request.url, data=request.body)
        SigV4Auth(hook.get_credentials(), "execute-api", region).add_auth(signed)
        request.headers.update(dict(signed.headers))
        return request


def ended(response: Response, **_: Any) -> PokeReturnValue:
    """The answer is 200 whatever the outcome: without this check a task that failed would be a sensor that succeeds."""
    end = response.json()
    reason = f"{end['id']}: {end.get('reason', end['state'])}"
    if end["state"] == "skipped":
        raise AirflowSkipException(reason)
    if end["state"] != "success":
        raise AirflowFailException(reason)
    return PokeReturnValue(True, end.get("result"))


PARAMS = {"bucket": Param("landing"), "key": Param("orders/_SUCCESS"), "queue": Param("default")}

with DAG("sensorium_http_sensor", schedule=None, params=PARAMS):
    submit = HttpOperator(
        task_id="submit",
        http_conn_id="sensorium",
        endpoint="v1/tasks",
        # With an id of ours it is safe to repeat: the same body is the same task. It has the try of Airflow in it, so
        # that a cleared task waits anew.
        data="""{{ {
            'id': [dag.dag_id, run_id, 'wait', ti.map_index, ti.try_number] | join(':'),
            'sensor': {'type': 's3_key', 'bucket': params.bucket, 'key': params.key},
            'queue': params.queue,
            'timeout': 'PT6H',
            'dag_id': dag.dag_id, 'run_id': run_id, 'task_id': 'wait',
        } | tojson }}""",
        headers={"Content-Type": "application/json"},
        request_kwargs={"auth": Signed()},
        response_filter=lambda response: response.json()["id"],
        retries=3,
        retry_delay=timedelta(seconds=10),
    )

    wait = HttpSensor(
        task_id="wait",
        http_conn_id="sensorium",
        # A path may hold all that an id may hold, as it is.
        endpoint="v1/tasks/{{ ti.xcom_pull(task_ids='submit') }}/ready",
        request_kwargs={"auth": Signed()},
        response_check=ended,
        # 404 is "not yet". The others are a bad moment; by default they would fail the wait.
        response_error_codes_allowlist=["404", "429", "500", "502", "503", "504"],
        # Not deferrable: the trigger knows neither `auth` nor the check, and asks again without a pause on a 403.
        deferrable=False,
        mode="reschedule",
        poke_interval=POLL_SECONDS,
        # Sensorium ends the task. This is for the case that nobody does: longer than 6 hours and 130 minutes.
        timeout=timedelta(hours=9).total_seconds(),
    )

    submit >> wait
