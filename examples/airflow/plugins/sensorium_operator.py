"""A deferrable operator for Sensorium, in one file. Put it into `plugins/`: the triggerer has to find it, too.

It submits a task by a signed request, defers to a trigger that asks whether the task has ended, and ends as it did.
Needs Airflow 3 and its Amazon provider. Tested with Airflow 3.3.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import time
from collections.abc import AsyncIterator, Sequence
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import httpx
from airflow.providers.amazon.aws.hooks.base_aws import AwsBaseHook
from airflow.sdk import BaseOperator
from airflow.sdk.exceptions import AirflowException, AirflowSensorTimeout, AirflowSkipException
from airflow.triggers.base import BaseTrigger, TriggerEvent
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest

if TYPE_CHECKING:
    import ssl

    import boto3
    from airflow.sdk import Context

CALL_SECONDS = 35.0
"""API Gateway answers within 29 seconds."""

SUBMIT_PAUSES = (1, 2, 4, 8, 0)
"""Seconds after each attempt to submit: repeating is safe, the id makes it the same task."""

RAW = "!$&'()*+,;=:@"
"""What a path's segment may hold as it is, beside letters, digits and `-._~` (RFC 3986). It is sent as it is signed."""

TRANSIENT = {429, 500, 502, 503, 504}
ENDED = {"success", "failed", "skipped", "removed"}


class SensoriumError(AirflowException):
    """The service refused, or the task failed; the message says why."""


def sensorium_id(*coordinates: object) -> str:
    """The same coordinates are the same id: at most 250 characters, of those that Sensorium takes."""
    text = ":".join(str(part) for part in coordinates)
    plain = re.sub(r"[^A-Za-z0-9_.:=+@-]", "-", text)
    # A URL loses `.` and `..`.
    if plain == text and len(plain) <= 250 and plain not in {"", ".", ".."}:
        return plain
    return f"{plain[:217]}-{hashlib.sha256(text.encode()).hexdigest()[:32]}"


@cache
def _tls() -> ssl.SSLContext:
    """Dear to make and good for all: a triggerer runs a thousand triggers."""
    return httpx.create_ssl_context()


class SensoriumApi:
    """
    Signed requests to the API. Credentials are frozen for each: those of a role are renewed when they run out.

    Where the queue is named, all of them go to the routes below it: a role may be limited to these.
    """

    def __init__(self, url: str, aws_conn_id: str | None, region_name: str | None, queue: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.tasks = f"/v1/queues/{queue}/tasks" if queue else "/v1/tasks"
        self.hook = AwsBaseHook(aws_conn_id=aws_conn_id, client_type="apigateway", region_name=region_name)

    @cached_property
    def session(self) -> boto3.Session:
        """Dear to make, and made when it is needed: to read a connection may take a request."""
        return self.hook.get_session()

    def signed(self, method: str, path: str, body: dict | None = None) -> httpx.Request:
        data = None if body is None else json.dumps(body)
        headers = {} if body is None else {"Content-Type": "application/json"}
        session = self.session
        request = AWSRequest(method=method, url=f"{self.url}{path}", data=data, headers=headers)
        credentials = session.get_credentials().get_frozen_credentials()
        SigV4Auth(credentials, "execute-api", session.region_name).add_auth(request)
        return httpx.Request(method, request.url, headers=dict(request.headers), content=data)

    def submit(self, task: dict) -> dict:
        """The task that stands under this id now. Raises SensoriumError where it is refused."""
        with httpx.Client(verify=_tls(), timeout=CALL_SECONDS) as client:
            for pause in SUBMIT_PAUSES:
                try:
                    answer = client.send(self.signed("POST", self.tasks, task))
                except httpx.TransportError as error:
                    said = str(error)
                else:
                    if answer.status_code == 201:
                        return answer.json()
                    said = f"{answer.status_code} {answer.text}"
                    if answer.status_code not in TRANSIENT:
                        break
                time.sleep(pause)
        raise SensoriumError(f"{task['id']} was not submitted: {said}")

    def remove(self, task_id: str) -> None:
        with httpx.Client(verify=_tls(), timeout=CALL_SECONDS) as client:
            client.send(self.signed("DELETE", self.path(task_id))).raise_for_status()

    async def end(self, client: httpx.AsyncClient, task_id: str) -> dict | None:
        """How the task ended; None: it has not, or nobody knows. Raises SensoriumError where asking again is no use."""
        # In a thread: the credentials may have to be fetched.
        request = await asyncio.to_thread(self.signed, "GET", f"{self.path(task_id)}/ready")
        try:
            answer = await client.send(request)
        except httpx.TransportError:
            return None
        if answer.status_code == 200:
            return answer.json()
        waits = answer.status_code == 404 and "state" in answer.json()
        if waits or answer.status_code in TRANSIENT:
            return None
        raise SensoriumError(f"{task_id}: {answer.status_code} {answer.text}")

    def path(self, task_id: str) -> str:
        return f"{self.tasks}/{quote(task_id, safe=RAW)}"


class SensoriumTrigger(BaseTrigger):
    """Fires when the task has ended. It keeps nothing: a triggerer that starts again goes on where the last was."""

    def __init__(
        self,
        task_id: str,
        api_url: str,
        aws_conn_id: str | None,
        region_name: str | None,
        poll_interval: float,
        cancel_on_kill: bool,
        queue: str | None = None,
    ) -> None:
        super().__init__()
        self.kwargs = {
            "task_id": task_id,
            "api_url": api_url,
            "aws_conn_id": aws_conn_id,
            "region_name": region_name,
            "poll_interval": poll_interval,
            "cancel_on_kill": cancel_on_kill,
            "queue": queue,
        }

    def serialize(self) -> tuple[str, dict[str, Any]]:
        return (f"{type(self).__module__}.{type(self).__qualname__}", self.kwargs)

    def _api(self) -> SensoriumApi:
        return SensoriumApi(*(self.kwargs[name] for name in ("api_url", "aws_conn_id", "region_name", "queue")))

    async def run(self) -> AsyncIterator[TriggerEvent]:
        api = self._api()
        try:
            async with httpx.AsyncClient(verify=_tls(), timeout=CALL_SECONDS) as client:
                while (end := await api.end(client, self.kwargs["task_id"])) is None:
                    await asyncio.sleep(self.kwargs["poll_interval"])
        except SensoriumError as error:
            end = {"state": "refused", "reason": str(error)}
        yield TriggerEvent(end)

    async def on_kill(self) -> None:
        """Somebody marked or cleared the deferred task. Before Airflow 3.3 nobody calls this; it waits to its end."""
        if self.kwargs["cancel_on_kill"]:
            await asyncio.to_thread(self._api().remove, self.kwargs["task_id"])


class SensoriumOperator(BaseOperator):
    """
    Waits for a condition, and holds no worker while it waits.

    :param sensor: what is waited for: `{"type": "s3_key", "bucket": ..., "key": ...}`. (templated)
    :param wait: how: `timeout`, `poke_interval`, `retries`, `soft_fail`, ... (templated) With a `queue` the routes below
        that queue are used.
    :param api_url: output `ApiUrl` of the stack. (templated)
    :param aws_conn_id: the connection whose role may call the API.
    :param region_name: the API's region, if it is not the connection's.
    :param poll_interval: seconds between two looks at whether the task has ended; not how often the condition is poked.
    :param cancel_on_kill: whether killing the task removes it from Sensorium.
    """

    template_fields: Sequence[str] = ("sensor", "wait", "api_url")
    template_fields_renderers = {"sensor": "json", "wait": "json"}
    ui_color = "#d9ead3"

    def __init__(
        self,
        *,
        sensor: dict,
        wait: dict | None = None,
        api_url: str = "{{ var.value.sensorium_api_url }}",
        aws_conn_id: str | None = "aws_default",
        region_name: str | None = None,
        poll_interval: float = 60.0,
        cancel_on_kill: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.sensor = sensor
        self.wait = wait or {}
        self.api_url = api_url
        self.aws_conn_id = aws_conn_id
        self.region_name = region_name
        self.poll_interval = poll_interval
        self.cancel_on_kill = cancel_on_kill
        self._submitted: str | None = None

    def _api(self) -> SensoriumApi:
        return SensoriumApi(self.api_url, self.aws_conn_id, self.region_name, self.wait.get("queue"))

    def execute(self, context: Context) -> Any:
        ti = context["ti"]
        own = {"dag_id": ti.dag_id, "run_id": ti.run_id, "task_id": ti.task_id, "map_index": ti.map_index}
        # With the try in it: what is repeated within a try is the same task, and the next try waits anew.
        self._submitted = sensorium_id(*own.values(), ti.try_number)
        if date := context.get("logical_date"):
            own["logical_date"] = date.isoformat()
        task = {**own, **self.wait, "sensor": self.sensor, "id": self._submitted}
        stands = self._api().submit(task)
        self.log.info("Sensorium waits: %s is %s", stands["id"], stands["state"])
        if stands["state"] in ENDED:
            return self.execute_complete(context, stands)
        # No timeout of the deferral: its clock would run while no triggerer does. Sensorium ends the task.
        self.defer(
            trigger=SensoriumTrigger(
                task_id=self._submitted,
                api_url=self.api_url,
                aws_conn_id=self.aws_conn_id,
                region_name=self.region_name,
                poll_interval=self.poll_interval,
                cancel_on_kill=self.cancel_on_kill,
                queue=self.wait.get("queue"),
            ),
            method_name="execute_complete",
        )

    def execute_complete(self, context: Context, event: dict[str, Any]) -> Any:
        """What the poke found becomes the task's XCom."""
        reason = event.get("reason") or event["state"]
        match event["state"]:
            case "success":
                return event.get("result")
            case "skipped":
                raise AirflowSkipException(reason)
            case "failed" if reason == "timeout":
                # As with any sensor: Airflow does not try that again.
                raise AirflowSensorTimeout(reason)
            case _:
                raise SensoriumError(reason)

    def on_kill(self) -> None:
        """Killed before it has deferred. Afterwards it is the trigger that is asked."""
        if self._submitted is not None and self.cancel_on_kill:
            self._api().remove(self._submitted)
