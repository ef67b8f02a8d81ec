"""De-identified notes in pandas and Polars, by ADBC from `plainsight serve`."""

import os

import adbc_driver_flightsql.dbapi as flightsql
import polars
from adbc_driver_flightsql import DatabaseOptions


def connect(token: str | None = None, **login: str):
    """A connection by a token, or by `username` and `password`."""
    options = dict(login)
    if token is not None:
        options[DatabaseOptions.AUTHORIZATION_HEADER.value] = f"Bearer {token}"
    if certificate := os.environ.get("PLAINSIGHT_CA"):
        with open(certificate) as file:
            options[DatabaseOptions.TLS_ROOT_CERTS.value] = file.read()
    return flightsql.connect(os.environ["PLAINSIGHT_URI"], db_kwargs=options, autocommit=True)


def main() -> None:
    with connect(os.environ["PLAINSIGHT_TOKEN"]) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT note_type, count(*) AS notes FROM notes GROUP BY note_type ORDER BY notes DESC LIMIT 5")
        print(cursor.fetch_df())
        frame = polars.read_database(
            "SELECT note_id, patient_id, note_datetime, text FROM notes LIMIT 10", connection=connection
        )
        print(frame)
        # Values go beside the text, never into it.
        patient = frame["patient_id"][0]
        cursor.execute("SELECT count(*) FROM notes WHERE patient_id = ? AND length(text) > ?", [patient, 10])
        print(f"{cursor.fetchone()[0]} notes of one patient")
        # Rows come in batches, so that a corpus need not fit in memory.
        cursor.execute("SELECT text FROM notes")
        characters = sum(len(text.as_py()) for batch in cursor.fetch_record_batch() for text in batch["text"])
        print(f"{characters} characters")


if __name__ == "__main__":
    main()
