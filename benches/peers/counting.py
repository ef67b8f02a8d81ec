"""The count of distinct sentences, by plainsight and by others, from the same Parquet files.

    note_id  patient_id  sentence                         hash   occurrences  patients
    n1       p1          No acute distress.               7f…e1  3            2
    n2       p1          No acute distress.         ──▶   09…4c  1            1
    n3       p2          No acute distress.
    n3       p2          Seen by Dr. Smith.

    python counting.py --plainsight target/release/plainsight --work target/counting

`plainsight generate` makes the notes and `plainsight sql` cuts them into sentences, once for each number of notes. Every run is a
process of its own, from its start to its end, on the same processors. A run of plainsight goes before each run of another,
so that what else the machine does falls on both: the ratio of such a pair is what is told, with its range. Each way to write
the count is tried first, and the fastest one of each contender is timed. At the end every count of plainsight is held
against DuckDB's, sentence by sentence; the exit status is 1 where one differs.
"""

import argparse
import os
import secrets
import shutil
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

TWO_STEPS = """
    SELECT key, CAST(sum(occurrences) AS BIGINT) AS occurrences, count(*) AS patients
    FROM (SELECT {sentence} AS key, {patient} AS patient, count(*) AS occurrences FROM {source} GROUP BY 1, 2)
    GROUP BY key"""
ONE_STEP = """
    SELECT {sentence} AS key, count(*) AS occurrences, count(DISTINCT {patient}) AS patients
    FROM {source} GROUP BY 1"""

DUCKDB_FORMS = {
    "text, one step": (ONE_STEP, "sentence", "patient_id"),
    "text, two steps": (TWO_STEPS, "sentence", "patient_id"),
    "hash, one step": (ONE_STEP, "hash(sentence)", "hash(patient_id)"),
    "hash, two steps": (TWO_STEPS, "hash(sentence)", "hash(patient_id)"),
    "md5, two steps": (TWO_STEPS, "md5_number(sentence)", "md5_number(patient_id)"),
}
"""DuckDB's: by the text itself, by its own hash of 64 bits, and by a hash as wide as plainsight's."""

POLARS_FORMS = ["text, one step", "text, two steps", "hash, one step", "hash, two steps"]

CONTENDERS = {
    "duckdb text": [f"duckdb/{form}" for form in DUCKDB_FORMS if form.startswith("text")],
    "duckdb hash": [f"duckdb/{form}" for form in DUCKDB_FORMS if form.startswith("hash")],
    "duckdb md5": [f"duckdb/{form}" for form in DUCKDB_FORMS if form.startswith("md5")],
    "polars": [f"polars/{form}" for form in POLARS_FORMS],
    "datatrove": ["datatrove/sentence dedup"],
    "datatrove notes": ["datatrove/sentence dedup, by notes"],
}
"""What is told in one line, and the ways to write it."""

SEPARATOR = "\x1f"
"""What stands between the sentences of a note where datatrove reads notes; a sentence may hold line ends."""


@dataclass
class Run:
    """What one process cost: seconds on the clock, seconds of processors, and MiB at its peak."""

    seconds: float
    processor_seconds: float
    peak: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plainsight", type=Path, help="the program, built with --release")
    parser.add_argument("--work", type=Path, required=True, help="the folder for notes, sentences and counts; kept")
    parser.add_argument("--notes", type=int, default=100_000)
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="pairs of runs for each contender")
    parser.add_argument("--only", nargs="+", choices=CONTENDERS, default=list(CONTENDERS))
    parser.add_argument("--contender", help=argparse.SUPPRESS)
    parser.add_argument("--sentences", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.contender:
        program, _, form = arguments.contender.partition("/")
        return CHILDREN[program](arguments, form) or 0
    if not arguments.plainsight:
        parser.error("--plainsight is needed")
    return compare(arguments)


# The parent: it starts processes and reads the clock. It loads no library, because a child's peak begins with its parent's.


def compare(arguments: argparse.Namespace) -> int:
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    os.environ.update(PLAINSIGHT_KEY=secrets.token_hex(32), POLARS_MAX_THREADS=str(arguments.cores))
    arguments.sentences = prepare(arguments)
    if "datatrove notes" in arguments.only and not (arguments.sentences.parent / "documents").exists():
        run(child(arguments, "documents"))
    own = plainsight_count(arguments)
    forms = {name: fastest(arguments, name) for name in arguments.only}
    own_runs, told = [], []
    for name, form in forms.items():
        pairs = [(measure(own), measure(child(arguments, form))) for _ in range(arguments.rounds)]
        own_runs += [one for one, _ in pairs]
        told.append(summary(form, pairs))
    head = table_line("", "seconds", "of plainsight's", "processor seconds", "of plainsight's", "peak MiB")
    lines = [f"{arguments.notes:,} notes", head, table_line(*["---"] * 6)]
    print("\n".join([*lines, summary("plainsight", [(run, run) for run in own_runs]), *told]), flush=True)
    return subprocess.run(child(arguments, "verify"), check=False).returncode


def prepare(arguments: argparse.Namespace) -> Path:
    """The folder of sentences, made unless it is there."""
    folder = arguments.work / f"notes-{arguments.notes}"
    sentences = folder / "sentences"
    if (folder / "_READY").exists():
        return sentences
    shutil.rmtree(folder, ignore_errors=True)
    warehouse = folder / "warehouse"
    run([arguments.plainsight, "generate", "--notes", str(arguments.notes), "--seed", "1", "--out", str(warehouse)])
    sentences.mkdir()
    cut = f"SELECT note_id, patient_id, unnest(sentences(text)) AS sentence FROM '{warehouse}/notes/'"
    statement = f"""
        COPY (SELECT note_id, patient_id, sentence['text'] AS sentence FROM ({cut})) TO '{sentences}/' STORED AS PARQUET
        OPTIONS ('format.compression' 'zstd(3)', 'format.max_row_group_size' '131072')"""
    run([arguments.plainsight, "sql", "-c", statement])
    shutil.rmtree(warehouse)
    (folder / "_READY").touch()
    return sentences


def plainsight_count(arguments: argparse.Namespace) -> list:
    """The two steps of sql/count.sql, over sentences instead of notes."""
    source = f"'{arguments.sentences}/'"
    count = TWO_STEPS.format(sentence="sentence_hash(sentence)", patient="sentence_hash(patient_id)", source=source)
    target = answer(arguments, "plainsight")
    statement = f"COPY (SELECT key AS hash, occurrences, patients FROM ({count})) TO '{target}' STORED AS PARQUET"
    return [arguments.plainsight, "sql", "--partitions", str(arguments.cores), "-c", statement]


def answer(arguments: argparse.Namespace, name: str) -> Path:
    """Where a contender's count is written."""
    return arguments.sentences.parent / f"{name}.parquet"


def child(arguments: argparse.Namespace, contender: str) -> list:
    """The command that runs one contender in a process of its own."""
    command = [sys.executable, __file__, "--contender", contender, "--sentences", arguments.sentences]
    command += ["--work", arguments.work, "--cores", str(arguments.cores)]
    return command + (["--plainsight", arguments.plainsight] if contender == "verify" else [])


def fastest(arguments: argparse.Namespace, name: str) -> str:
    """The way to write a contender's count that is fastest, of two runs each; they warm its files too."""
    forms = CONTENDERS[name]
    if len(forms) == 1:
        return forms[0]
    seconds = {form: min(measure(child(arguments, form)).seconds for _ in range(2)) for form in forms}
    for form, took in seconds.items():
        print(f"tried {form}: {took:.2f} s", flush=True)
    return min(seconds, key=seconds.get)


def measure(command: list) -> Run:
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    if status:
        sys.exit(f"{command} ended with status {status}: {errors.decode(errors='replace')[-1000:]}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def run(command: list) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def summary(name: str, pairs: list[tuple[Run, Run]]) -> str:
    """One line of medians over the second of each pair, with its ratios to the first."""

    def ratio(cost) -> str:
        ratios = [cost(other) / cost(own) for own, other in pairs]
        return f"{statistics.median(ratios):.2f} ({min(ratios):.2f}–{max(ratios):.2f})"

    def seconds(run: Run) -> float:
        return run.seconds

    def processor_seconds(run: Run) -> float:
        return run.processor_seconds

    runs = [run for _, run in pairs]
    costs = [f"{statistics.median(map(cost, runs)):.2f}" for cost in (seconds, processor_seconds)]
    ratios = ["1", "1"] if name == "plainsight" else [ratio(seconds), ratio(processor_seconds)]
    peak = f"{statistics.median(run.peak for run in runs):.0f}"
    return table_line(name.replace("/", ", "), costs[0], ratios[0], costs[1], ratios[1], peak)


def table_line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


# The children: each loads what it needs and no more.


def duckdb_session(arguments: argparse.Namespace):
    import duckdb

    return duckdb.connect(config={"threads": arguments.cores, "preserve_insertion_order": False})


def duckdb_count(arguments: argparse.Namespace, form: str) -> None:
    statement, sentence, patient = DUCKDB_FORMS[form]
    source = f"read_parquet('{arguments.sentences}/*.parquet')"
    count = statement.format(sentence=sentence, patient=patient, source=source)
    # The hash of a text stands for it in the answer, which would be larger with the text.
    hash_of_key = "hash(key)" if form.startswith("text") else "key"
    target = answer(arguments, "duckdb")
    duckdb_session(arguments).execute(
        f"COPY (SELECT {hash_of_key} AS hash, occurrences, patients FROM ({count})) TO '{target}' (FORMAT parquet)"
    )


def polars_count(arguments: argparse.Namespace, form: str) -> None:
    import polars as pl

    key, _, steps = form.partition(", ")
    sentence, patient = pl.col("sentence"), pl.col("patient_id")
    if key == "hash":
        sentence, patient = sentence.hash(), patient.hash()
    sentences = pl.scan_parquet(arguments.sentences / "*.parquet").select(key=sentence, patient=patient)
    if steps == "one step":
        count = sentences.group_by("key").agg(occurrences=pl.len(), patients=pl.col("patient").n_unique())
    else:
        within = sentences.group_by("key", "patient").agg(occurrences=pl.len())
        count = within.group_by("key").agg(occurrences=pl.col("occurrences").sum(), patients=pl.len())
    if key == "text":
        count = count.select(pl.col("key").hash(), "occurrences", "patients")
    count.sink_parquet(answer(arguments, "polars"), engine="streaming")


def datatrove_count(arguments: argparse.Namespace, form: str) -> None:
    """The two stages of its sentence deduplication that find the repeated sentences, with nothing normalized."""
    from datatrove.executor import LocalPipelineExecutor
    from datatrove.pipeline.dedup.sentence_dedup import SentDedupConfig, SentenceDedupSignature, SentenceFindDedups
    from datatrove.pipeline.readers import ParquetReader
    from datatrove.utils.text import TextNormConfig
    from datatrove.utils.word_tokenizers import WordTokenizer

    class CutAlready(WordTokenizer):
        """In the place of the language's tokenizer: the sentences are those of the files."""

        def sent_tokenize(self, text: str) -> list[str]:
            return text.split(SEPARATOR)

        word_tokenize = span_tokenize = sent_tokenize

    as_they_are = TextNormConfig(
        lowercase=False, norm_whitespace=False, remove_punctuation=False, norm_unicode_diacritics=False, norm_numbers=False
    )
    config = SentDedupConfig(n_sentences=1, norm_config=as_they_are)
    source, key = arguments.sentences, "sentence"
    if form.endswith("notes"):
        source, key = source.parent / "documents", "text"
    work = arguments.sentences.parent / "datatrove"
    shutil.rmtree(work, ignore_errors=True)
    signatures, found = str(work / "signatures"), str(work / "found")
    reader = ParquetReader(str(source), read_metadata=False, text_key=key, id_key="note_id", glob_pattern="*.parquet")
    first = SentenceDedupSignature(signatures, finder_workers=arguments.cores, config=config, language=CutAlready())
    second = SentenceFindDedups(signatures, found, config=config, lines_to_buffer=10_000)
    for number, stage in enumerate([[reader, first], [second]]):
        logs = str(work / f"logs-{number}")
        LocalPipelineExecutor(
            stage, tasks=arguments.cores, workers=arguments.cores, logging_dir=logs, start_method="fork"
        ).run()


def make_documents(arguments: argparse.Namespace, _: str) -> None:
    """Writes one document a note for datatrove, whose cost is that of documents more than that of sentences."""
    folder = arguments.sentences.parent / "documents"
    folder.mkdir(exist_ok=True)
    session, parts = duckdb_session(arguments), 2 * arguments.cores
    for part in range(parts):
        notes = f"""
            SELECT note_id, string_agg(sentence, chr({ord(SEPARATOR)})) AS text
            FROM read_parquet('{arguments.sentences}/*.parquet') WHERE hash(note_id) % {parts} = {part} GROUP BY note_id"""
        session.execute(f"COPY ({notes}) TO '{folder}/{part}.parquet' (FORMAT parquet, COMPRESSION zstd)")


def verify(arguments: argparse.Namespace, _: str) -> int:
    """Holds plainsight's last count against DuckDB's by text, sentence by sentence; and datatrove's number of repeats."""
    hashes = answer(arguments, "hashes")
    distinct = f"SELECT DISTINCT sentence FROM '{arguments.sentences}/'"
    run([
        arguments.plainsight, "sql", "-c",
        f"COPY (SELECT sentence, sentence_hash(sentence) AS hash FROM ({distinct})) TO '{hashes}' STORED AS PARQUET",
    ])
    session = duckdb_session(arguments)
    source = f"read_parquet('{arguments.sentences}/*.parquet')"
    theirs = ONE_STEP.format(sentence="sentence", patient="patient_id", source=source)
    session.execute(f"""
        CREATE TABLE ours AS
            SELECT sentence, occurrences, patients
            FROM read_parquet('{answer(arguments, "plainsight")}') LEFT JOIN read_parquet('{hashes}') USING (hash);
        CREATE TABLE theirs AS SELECT key AS sentence, occurrences, patients FROM ({theirs})""")
    rows, other_rows, occurrences = session.execute(
        "SELECT (SELECT count(*) FROM ours), count(*), sum(occurrences)::BIGINT FROM theirs").fetchone()
    different = session.execute("""
        SELECT count(*) FROM ours FULL JOIN theirs USING (sentence)
        WHERE ours.occurrences IS DISTINCT FROM theirs.occurrences OR ours.patients IS DISTINCT FROM theirs.patients
    """).fetchone()[0]
    print(f"{occurrences:,} sentences, {other_rows:,} distinct; of {rows:,} counts of plainsight {different:,} differ")
    duplicates = list((arguments.sentences.parent / "datatrove/found").rglob("*.c4_dup"))
    if duplicates:
        repeats = sum(file.stat().st_size for file in duplicates) // 6
        print(f"repeats: {occurrences - other_rows:,}; found by datatrove: {repeats:,}")
    for name in ("duckdb", "polars"):
        if (other := answer(arguments, name)).exists():
            unlike = session.execute(f"""
                SELECT count(*)
                FROM (SELECT occurrences, patients, count(*) AS hashes FROM read_parquet('{other}') GROUP BY ALL) AS these
                FULL JOIN (SELECT occurrences, patients, count(*) AS sentences FROM ours GROUP BY ALL) AS ours
                USING (occurrences, patients) WHERE hashes IS DISTINCT FROM sentences""").fetchone()[0]
            print(f"{name}: {unlike:,} pairs of occurrences and patients come another number of times")
    return 0 if rows == other_rows and different == 0 else 1


CHILDREN = {
    "duckdb": duckdb_count,
    "polars": polars_count,
    "datatrove": datatrove_count,
    "documents": make_documents,
    "verify": verify,
}

if __name__ == "__main__":
    sys.exit(main())
