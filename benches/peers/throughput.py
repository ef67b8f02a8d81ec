"""Whole notes a second on one core: plainsight's main job against other de-identifiers, on the same generated notes.

    notes ──▶ plainsight run --ensemble knowledge ──▶ notes with surrogates     --notes of them
      └─ the first ones ──▶ Philter, Presidio ──▶ spans                         --peer-notes of them

    python throughput.py --plainsight target/release/plainsight --work target/throughput

Every process is held to one core. The time of plainsight is that of the whole process, from its start to the last file. The
time of the others begins when their models are loaded and ends with the last note's spans; they replace nothing. In each
round plainsight runs before each of the others, and the ratio is that of the two. Both are told by the clock and by the seconds
that the processor worked for the process; on a machine that does other work, the second is the truer one.
"""

import argparse
import json
import os
import secrets
import statistics
import subprocess
import sys
import time
from pathlib import Path

PEERS = ["philter", "presidio"]

Rates = tuple[float, float]
"""Notes a second of the clock, and notes a second that the processor worked."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plainsight", type=Path, help="the program, built with --release")
    parser.add_argument("--work", type=Path, required=True, help="the folder for notes and outputs; kept")
    parser.add_argument("--notes", type=int, default=20_000, help="what plainsight reads")
    parser.add_argument("--peer-notes", type=int, default=200, help="what each of the others reads")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--core", type=int, help="the processor [default: the first one allowed]")
    parser.add_argument("--only", nargs="+", choices=PEERS, default=PEERS)
    parser.add_argument("--peer", choices=PEERS, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.peer:
        print(*peer_rates(arguments.peer, arguments.work / "peer-notes.jsonl"))
        return 0
    if not arguments.plainsight:
        parser.error("--plainsight is needed")
    core = min(os.sched_getaffinity(0)) if arguments.core is None else arguments.core
    os.environ["PLAINSIGHT_KEY"] = secrets.token_hex(32)
    prepare(arguments)
    os.sched_setaffinity(0, {core})
    own, told = [], []
    for name in arguments.only:
        pairs = [(own_rates(arguments), rates_of(arguments, name)) for _ in range(arguments.rounds)]
        own += [first for first, _ in pairs]
        told.append(line(name, pairs))
    print("|  | notes/s by the clock | notes a processor second | plainsight is so many times as fast |")
    print("\n".join(["| --- | --- | --- | --- |", line("plainsight", [(rates, rates) for rates in own]), *told]))
    return 0


def prepare(arguments: argparse.Namespace) -> None:
    """The warehouse, and the first of its notes as JSON Lines; the warehouse is made unless it is there."""
    arguments.work.mkdir(parents=True, exist_ok=True)
    warehouse = arguments.work / f"notes-{arguments.notes}"
    if not (warehouse / "_SUCCESS").exists():
        command = [arguments.plainsight, "generate", "--notes", str(arguments.notes), "--seed", "1", "--out", warehouse]
        subprocess.run([*command, "--overwrite"], check=True)
    query = f"SELECT note_id, text FROM '{warehouse}/notes/' ORDER BY note_id LIMIT {arguments.peer_notes}"
    with open(arguments.work / "peer-notes.jsonl", "wb") as target:
        subprocess.run([arguments.plainsight, "sql", "--format", "json", "-c", query], check=True, stdout=target)


def own_rates(arguments: argparse.Namespace) -> Rates:
    """Those of the main job, with the patients' records and without trained members."""
    warehouse = arguments.work / f"notes-{arguments.notes}"
    command = [arguments.plainsight, "run", "--ensemble", "knowledge", "--partitions", "1", "--overwrite"]
    command += ["--notes", warehouse / "notes", "--patients", warehouse / "patients", "--out", arguments.work / "out"]
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    if status:
        sys.exit(f"plainsight run ended with status {status}")
    return arguments.notes / seconds, arguments.notes / (usage.ru_utime + usage.ru_stime)


def rates_of(arguments: argparse.Namespace, name: str) -> Rates:
    """Those of another program, which a process of its own tells in its last line."""
    command = [sys.executable, __file__, "--peer", name, "--work", arguments.work]
    told = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    clock, processor = told.splitlines()[-1].split()
    return float(clock), float(processor)


def peer_rates(name: str, file: Path) -> Rates:
    import peers

    detect = peers.PEERS[name]()
    with open(file, encoding="utf-8") as source:
        texts = [json.loads(row)["text"] for row in source]
    list(detect(texts[0]))  # What is loaded or compiled when first asked for is loading too.
    begun, worked = time.perf_counter(), time.process_time()
    for text in texts:
        list(detect(text))
    return len(texts) / (time.perf_counter() - begun), len(texts) / (time.process_time() - worked)


def line(name: str, pairs: list[tuple[Rates, Rates]]) -> str:
    """Medians over the second of each pair; the ratio is that of processor seconds, with its range."""
    clock, processor = (statistics.median(rates[which] for _, rates in pairs) for which in (0, 1))
    ratios = [own[1] / other[1] for own, other in pairs]
    ratio = f"{statistics.median(ratios):.0f} ({min(ratios):.0f}–{max(ratios):.0f})"
    return f"| {name} | {clock:,.1f} | {processor:,.1f} | {'' if name == 'plainsight' else ratio} |"


if __name__ == "__main__":
    sys.exit(main())
