"""Plays DAGs and their parts with the real Airflow, and prints a line of JSON for each, after PREFIX.

Argument: JSON, a list of plays: {"dag": id, "conf": {...}}, {"kill": task id}, {"kill_running": task id},
{"impatient": execution ARN} or {"addresses": [task ids]}.
"""

import asyncio
import json
import os
import sys
from pathlib import Path

PREFIX = "PLAYED "


def play_dag(dag, conf: dict) -> dict:
    """As `airflow dags test` does: the scheduler's rules, the tasks and their triggers, in this process."""
    run = dag.test(run_conf=conf)
    tis = run.get_task_instances()
    return {"state": run.state, "tasks": {ti.task_id: ti.state for ti in tis}}


async def kill(task_id: str) -> dict:
    """What a triggerer does with the trigger of a task that somebody marks or clears."""
    from sensorium_operator import SensoriumTrigger

    trigger = SensoriumTrigger(task_id, os.environ["AIRFLOW_VAR_SENSORIUM_API_URL"], None, None, 0.5, True)
    _, kwargs = trigger.serialize()
    again = SensoriumTrigger(**kwargs)
    waiting = asyncio.ensure_future(anext(again.run()))
    await asyncio.sleep(0.1)
    waits = not waiting.done()
    await again.on_kill()
    event = await asyncio.wait_for(waiting, 20)
    return {"waits": waits, "event": event.payload}


def kill_running(task_id: str) -> dict:
    """What a worker does with an operator that has submitted and not deferred yet."""
    from sensorium_operator import SensoriumOperator

    api_url = os.environ["AIRFLOW_VAR_SENSORIUM_API_URL"]
    operator = SensoriumOperator(task_id="killed", sensor={}, api_url=api_url, aws_conn_id=None)
    operator._submitted = task_id
    operator.on_kill()
    return {}


async def impatient(execution_arn: str) -> dict:
    """The stock trigger, out of patience."""
    from airflow.providers.amazon.aws.triggers.step_function import StepFunctionsExecutionCompleteTrigger

    trigger = StepFunctionsExecutionCompleteTrigger(execution_arn=execution_arn, waiter_delay=1, waiter_max_attempts=2)
    return {"event": (await anext(trigger.run())).payload}


def addresses(task_ids: list[str]) -> dict:
    """Which paths the operator asks for, as they go over the wire."""
    from sensorium_operator import SensoriumApi, sensorium_id

    api = SensoriumApi("https://api.test", None, None)
    sent = [api.signed("GET", api.path(task_id)).url.raw_path.decode() for task_id in task_ids]
    return {"sent": sent, "ids": [sensorium_id(text) for text in ("", ".", "..", "...")]}


def main(plays: list[dict]) -> None:
    from airflow.dag_processing.dagbag import DagBag
    from airflow.providers.amazon.aws.operators.step_function import StepFunctionStartExecutionOperator
    from airflow.utils.db import initdb

    initdb()
    bag = DagBag(os.environ["AIRFLOW__CORE__DAGS_FOLDER"])
    stock = StepFunctionStartExecutionOperator(task_id="stock", state_machine_arn="arn")
    report({
        "dags": sorted(bag.dags),
        "errors": {Path(file).name: error for file, error in bag.import_errors.items()},
        "stock_seconds": stock.waiter_delay * stock.waiter_max_attempts,
    })
    for play in plays:
        match play:
            case {"dag": dag_id, "conf": conf}:
                report(play_dag(bag.dags[dag_id], conf))
            case {"kill": task_id}:
                report(asyncio.run(kill(task_id)))
            case {"kill_running": task_id}:
                report(kill_running(task_id))
            case {"impatient": arn}:
                report(asyncio.run(impatient(arn)))
            case {"addresses": task_ids}:
                report(addresses(task_ids))


def report(what: dict) -> None:
    print(PREFIX + json.dumps(what), flush=True)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
