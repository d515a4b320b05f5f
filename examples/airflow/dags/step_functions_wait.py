"""Waits with Airflow's stock operator for state machines, on Sensorium's `SubmitAndWait`, which ends as its task does.

Wants the Variable `sensorium_state_machine_arn` (output `SubmitAndWaitArn` of the stack).
"""

import math
import os
from datetime import timedelta

from airflow.providers.amazon.aws.operators.step_function import (
    StepFunctionGetExecutionOutputOperator,
    StepFunctionStartExecutionOperator,
)
from airflow.sdk import DAG, Param, task
from airflow.sdk.exceptions import AirflowSkipException

POLL_SECONDS = int(os.environ.get("SENSORIUM_POLL_SECONDS", "60"))

TIMEOUT = timedelta(hours=6)
"""Sensorium ends the task then."""

UNKNOWN = timedelta(minutes=130)
"""For so long it fails nothing while AWS does not answer, also past the deadline."""

# The operator gives up after waiter_delay * waiter_max_attempts, 30 minutes by default, and nobody ends what it waited
# for. It is the limit of the deferral, too, and that clock runs on while no triggerer does. So: longer than the longest
# wait. A task with `retries` waits that long for each try, and `retry_delay` in between.
LONGEST = TIMEOUT + UNKNOWN + timedelta(minutes=30)

PARAMS = {"bucket": Param("landing"), "key": Param("orders/_SUCCESS"), "queue": Param("default")}

with DAG("sensorium_step_functions", schedule=None, params=PARAMS):
    wait = StepFunctionStartExecutionOperator(
        task_id="wait",
        state_machine_arn="{{ var.value.sensorium_state_machine_arn }}",
        # A name is taken for 90 days, so the execution has none of ours. What makes it safe to repeat is the task's id.
        state_machine_input={
            "task": {
                "id": "{{ dag.dag_id }}:{{ run_id }}:{{ task.task_id }}:{{ ti.map_index }}:{{ ti.try_number }}",
                "sensor": {"type": "s3_key", "bucket": "{{ params.bucket }}", "key": "{{ params.key }}"},
                "queue": "{{ params.queue }}",
                "timeout": TIMEOUT.total_seconds(),
                "dag_id": "{{ dag.dag_id }}",
                "run_id": "{{ run_id }}",
                "task_id": "{{ task.task_id }}",
            }
        },
        deferrable=True,
        waiter_delay=POLL_SECONDS,
        waiter_max_attempts=math.ceil(LONGEST.total_seconds() / POLL_SECONDS),
    )

    outcome = StepFunctionGetExecutionOutputOperator(task_id="outcome", execution_arn=wait.output)

    @task
    def use(outcome: dict) -> str:
        """The execution succeeds with `skipped`, too: that is for the DAG to say."""
        if outcome["state"] == "skipped":
            raise AirflowSkipException(outcome.get("reason", "skipped"))
        return outcome["task_id"]

    use(outcome.output)
