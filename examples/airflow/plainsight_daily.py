"""De-identifies each day's notes, checks the result, and tells those who wait for it.

    NOTES/day=2026-11-20/ ──deidentify──▶ OUT/batch=9f0c…/ ──verify──▶ release ──▶ Asset plainsight://deidentified

Where things lie is said by the Airflow variables `plainsight_notes`, `plainsight_patients` and `plainsight_out`. The key is the password
of the Airflow connection `plainsight`; its `extra` are further variables of the environment, as the credentials of an object store.
README.md beside this file says how to try it.
"""

import hashlib
import hmac
import os
import subprocess
from datetime import UTC, datetime, timedelta

from airflow.sdk import DAG, Asset, BaseHook, BaseOperator, task
from airflow.sdk.exceptions import AirflowException, AirflowFailException, AirflowSkipException
from airflow.timetables.interval import CronDataIntervalTimetable

NOTHING_TO_DO = 3
MISTAKES = (1, 2)  # the run failed, or its arguments are wrong: no retry cures that


class PlainsightOperator(BaseOperator):
    """Runs the program `plainsight` and makes of its exit code what Airflow does next.

    | exit code | meaning | the task |
    |---|---|---|
    | 0 | done | succeeds |
    | 1, 2 | failed, or a usage mistake | fails, without a retry |
    | 3 | nothing to do | is skipped, with what comes after it |
    | 75, a signal | a store that does not answer, another writer, a stopped worker | is tried again; what is finished is kept |
    """

    template_fields = ("arguments",)

    def __init__(self, *, arguments: list[str], **kwargs):
        super().__init__(**kwargs)
        self.arguments = arguments
        self.process = None

    def execute(self, context):
        # The log tells counts and ids, never text of notes.
        self.process = subprocess.Popen(
            ["plainsight", "--log-format", "json", *self.arguments],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for line in self.process.stdout:
            self.log.info(line.rstrip())
        code = self.process.wait()
        if code == NOTHING_TO_DO:
            raise AirflowSkipException("nothing to do")
        if code in MISTAKES:
            raise AirflowFailException(f"plainsight ended with exit code {code}")
        if code != 0:
            raise AirflowException(f"plainsight ended with exit code {code}: to be tried again")

    def on_kill(self):
        # It then aborts its uploads and gives its lease back; finished parts stay for the next try.
        if self.process:
            self.process.terminate()


def environment() -> dict[str, str]:
    """What the program sees: the worker's environment without what is Airflow's, and what the connection holds.

    Secrets are here and not among the arguments, because every user of a machine can list those.
    """
    connection = BaseHook.get_connection("plainsight")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("AIRFLOW")}
    return inherited | connection.extra_dejson | {"PLAINSIGHT_KEY": connection.password}


def batch(day: str) -> str:
    """The folder of a day's output.

    Its name is keyed: the real day beside the shifted dates of a note would tell by how much that patient's dates are shifted.
    """
    key = bytes.fromhex(BaseHook.get_connection("plainsight").password.strip())
    return "batch=" + hmac.new(key, f"airflow batch {day}".encode(), hashlib.sha256).hexdigest()[:16]


# The start of the interval, not `ds`: what `airflow dags test` calls `ds` is the day after.
DAY = "{{ data_interval_start | ds }}"
BATCH = "{{ batch(data_interval_start | ds) }}"
PLACES = [
    "--notes", f"{{{{ var.value.plainsight_notes }}}}/day={DAY}/",
    "--patients", "{{ var.value.plainsight_patients }}",
    "--out", f"{{{{ var.value.plainsight_out }}}}/{BATCH}/",
]  # fmt: skip
DEIDENTIFIED = Asset("plainsight://deidentified")

with DAG(
    dag_id="plainsight_daily",
    schedule=CronDataIntervalTimetable("@daily", timezone="UTC"),
    start_date=datetime(2026, 1, 1, tzinfo=UTC),
    catchup=False,
    max_active_runs=2,
    user_defined_macros={"batch": batch},
    default_args={
        "retries": 6,
        # More than the 45 seconds after which the lease of a killed writer is taken over.
        "retry_delay": timedelta(minutes=1),
        "retry_exponential_backoff": 2,
        "max_retry_delay": timedelta(minutes=30),
    },
):
    deidentify = PlainsightOperator(task_id="deidentify", arguments=["run", "--fail-if-empty", "--refused-at-most", "1%", *PLACES])
    verify = PlainsightOperator(task_id="verify", arguments=["verify", *PLACES])

    @task(outlets=[DEIDENTIFIED], templates_dict={"batch": BATCH})
    def release(templates_dict, outlet_events):
        """Tells those who wait for the asset which batch is ready. It is the only marker: what it does not name is not checked."""
        outlet_events[DEIDENTIFIED].extra = {"batch": templates_dict["batch"]}

    deidentify >> verify >> release()
