"""Waits with the operator of plugins/sensorium_operator.py: one task, which submits, defers and ends as Sensorium's.

Wants the Variable `sensorium_api_url` (output `ApiUrl` of the stack).
"""

import os

from airflow.sdk import DAG, Param

from sensorium_operator import SensoriumOperator

PARAMS = {"bucket": Param("landing"), "key": Param("orders/_SUCCESS"), "queue": Param("default")}

with DAG("sensorium_operator", schedule=None, params=PARAMS):
    SensoriumOperator(
        task_id="wait",
        sensor={"type": "s3_key", "bucket": "{{ params.bucket }}", "key": "{{ params.key }}"},
        wait={"queue": "{{ params.queue }}", "poke_interval": 60, "timeout": "PT6H"},
        poll_interval=float(os.environ.get("SENSORIUM_POLL_SECONDS", "60")),
    )
