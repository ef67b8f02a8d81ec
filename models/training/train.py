"""Trains one model on the mixture and keeps its weights.

    python train.py --base bge-small --cased --corpora CORPORA --background background.jsonl --found background.spans.jsonl \
        --minutes 40 --threads 1 --out bge-small.safetensors

The clock, not the number of steps, ends the training, so that the learning rate falls to nothing within the time that there is. Every
few minutes it prints recall and precision (identifier or not, by word piece) on held-out excerpts filled with held-out values.
"""

import argparse
import itertools
import json
import random
import time

import numpy
import torch
from safetensors.torch import save_file
from tokenizers import Tokenizer
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from recipe import excerpts, pretrained
from recipe.labels import COLUMN, COLUMNS, GENERAL, GENERAL_SILENT
from recipe.mixture import Abroad, Mixture
from recipe.noise import noisy
from recipe.shapes import of_pieces
from recipe.values import Values

LONGEST = 192


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, choices=sorted(pretrained.WEIGHTS))
    parser.add_argument("--cased", action="store_true", help="add case shapes to the word embeddings")
    parser.add_argument("--start", help="go on from weights trained before, or from the graph of a model's folder")
    parser.add_argument("--teacher", help="weights of an MPNet trained before, whose probabilities are learned beside the marks")
    parser.add_argument("--teacher-share", type=float, default=.6, help="how much they count")
    parser.add_argument("--corpora", required=True)
    parser.add_argument("--background", required=True)
    parser.add_argument("--found", required=True)
    parser.add_argument("--gold", action="append", default=[], help="marked notes of a site, JSON Lines of text and spans, mixed in at --share")
    parser.add_argument("--share", type=float, default=.25)
    parser.add_argument("--newest", nargs="*", default=[], help="files of excerpts, by name, that are drawn more often: those of new authors")
    parser.add_argument("--share-of-newest", type=float, default=.4, help="the share of excerpts that is drawn from them")
    parser.add_argument("--minutes", type=float, default=40)
    parser.add_argument("--rate", type=float, default=1.5e-4)
    parser.add_argument("--tokens", type=int, default=1536, help="word pieces a batch")
    parser.add_argument("--dropout", type=float, default=.2)
    parser.add_argument("--masked", type=float, default=.05, help="the share of word pieces that are hidden")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--single", action="store_true", help="compute in single precision, although the device has instructions for bfloat16")
    parser.add_argument("--workers", type=int, default=0, help="processes that make sentences, for a GPU: one for each processor core but one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    torch.manual_seed(arguments.seed)
    tokenizer = tokenizer_of(arguments.base)
    model = pretrained.load(arguments.base, arguments.cased)
    if arguments.start:
        model.load_state_dict(pretrained.start(arguments.start))
    held_out = {"English": list(itertools.islice(_validation(arguments), 1500)), "abroad": list(itertools.islice(_validation_abroad(), 500))}
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model.dropout = arguments.dropout
    model.to(device).train()
    teacher = teacher_of(arguments, device)
    allowed, hidden = right_columns().to(device), tokenizer.token_to_id("[MASK]")
    parameters = [parameter for parameter in model.parameters() if parameter.requires_grad]
    optimizer = torch.optim.AdamW(parameters, lr=arguments.rate, weight_decay=.01, fused=device == "cuda")
    # A processor without instructions for bfloat16 is many times slower at it than at single precision, and some with them are, too.
    half = not arguments.single and (device == "cuda" or torch.cpu._is_avx512_bf16_supported())
    begun, seen, shown, sums = None, 0, 0, [0.0, 0]
    for batch in DataLoader(Stream(arguments), batch_size=None, num_workers=arguments.workers, pin_memory=device == "cuda"):
        if begun is None:
            # The workers have drawn their first sentences.
            begun = shown = time.time()
        share = min((time.time() - begun) / 60 / arguments.minutes, 1)
        for group in optimizer.param_groups:
            group["lr"] = arguments.rate * min(1, share / .03) * (1 - share)
        ids, shapes, mask, right = (part.to(device, non_blocking=True) for part in batch)
        told = teacher(ids, shapes, mask) if teacher else None
        if arguments.masked:
            # A word that is not seen is known by its neighbours, which the next name that nobody has heard of needs.
            ids = torch.where((shapes > 0) & (torch.rand(ids.shape, device=device) < arguments.masked), hidden, ids)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=half):
            logits = model(ids, shapes, mask)
        logits = logits.float()[mask]
        loss = (torch.logsumexp(logits, -1) - torch.logsumexp(logits.masked_fill(~allowed[right[mask]], -1e4), -1)).mean()
        if teacher:
            loss = torch.lerp(loss, torch.nn.functional.cross_entropy(logits, told), arguments.teacher_share)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        seen += len(logits)
        # The sum stays on the device, so that it is not waited for at each step.
        sums[0] += loss.detach()
        sums[1] += 1
        if time.time() - shown > arguments.minutes * 60 / 12 or share >= 1:
            figures = [(kind, *validate(model, sentences, tokenizer, device)) for kind, sentences in held_out.items()]
            told = "; ".join(f"{kind} recall {recall:.4f} precision {precision:.4f}" for kind, recall, precision in figures)
            print(f"{(time.time() - begun) / 60:5.1f} min {seen:>9} pieces, loss {float(sums[0]) / sums[1]:.4f}, held out: {told}", flush=True)
            shown, sums = time.time(), [0.0, 0]
            save_file({name: tensor.contiguous().cpu() for name, tensor in model.state_dict().items()}, arguments.out)
        if share >= 1:
            break


def teacher_of(arguments, device):
    """What tells the probabilities of the columns for each word piece: a larger model, which sees the words that are hidden from its pupil."""
    if not arguments.teacher:
        return None
    model = pretrained.load("mpnet", arguments.cased)
    model.load_state_dict(pretrained.start(arguments.teacher))
    model.to(device).eval()

    def told(ids, shapes, mask):
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            return model(ids, shapes, mask)[mask].float().softmax(-1)

    return told


class Stream(IterableDataset):
    """Batches without end; each worker process draws a mixture of its own."""

    def __init__(self, arguments):
        self.arguments = arguments

    def __iter__(self):
        arguments, worker = self.arguments, get_worker_info()
        seed = arguments.seed + (1000 * worker.id if worker else 0)
        mixture = Mixture(seed, arguments.corpora, arguments.background, arguments.found, arguments.newest, arguments.share_of_newest)
        if not worker or worker.id == 0:
            print(json.dumps(mixture.sizes()), flush=True)
        sentences, tokenizer = mixture.beside(arguments.gold, arguments.share), tokenizer_of(arguments.base)
        # Sentences of about ten batches are sorted by length together.
        for turn in itertools.count():
            yield from batches(itertools.islice(sentences, max(1500, arguments.tokens // 2)), tokenizer, arguments.tokens, seed + turn)


def tokenizer_of(base):
    tokenizer = Tokenizer.from_file(str(pretrained.folder(base) / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _validation(arguments):
    values, rng = Values(99, validation=True, corpora=arguments.corpora), random.Random(7)
    marked, negatives = excerpts.read(validation=True)
    while True:
        for excerpt in marked + negatives:
            text, spans = excerpts.fill(excerpt, values)
            for sentence, inside in excerpts.pieces(text, spans, rng):
                yield *noisy(sentence, inside, rng), False


def _validation_abroad():
    abroad, rng = Abroad(99, validation=True), random.Random(7)
    while True:
        for sentence, inside in abroad.drawn():
            yield *noisy(sentence, inside, rng), False


#: Which columns are right for a piece: one, or in general corpora any of several.
RIGHT = [frozenset([column]) for column in range(len(COLUMNS))]
RIGHT.append(frozenset([COLUMN["O"]] + [COLUMN[f"{prefix}-{label}"] for label in GENERAL_SILENT for prefix in "BI"]))
RIGHT.append(frozenset(range(len(COLUMNS))))
RIGHT += [frozenset(COLUMN[f"{prefix}-{label}"] for label in labels) for labels in GENERAL.values() for prefix in "BI"]
SILENT, ANY = len(COLUMNS), len(COLUMNS) + 1
KINDS = {(kind, prefix): ANY + 1 + at for at, (kind, prefix) in enumerate(itertools.product(GENERAL, "BI"))}


def right_columns():
    """The rows of `RIGHT` as truth values of columns."""
    return torch.tensor([[column in right for column in range(len(COLUMNS))] for right in RIGHT])


def encoded(text, spans, general, tokenizer):
    """Word pieces, shapes and, for each piece, which row of `RIGHT` holds."""
    encoding = tokenizer.encode(text)
    ids, offsets = encoding.ids[:LONGEST], encoding.offsets[:LONGEST]
    right, started = [], set()
    for start, end in offsets:
        span = next((span for span in spans if span[0] < end and start < span[1]), None) if end > start else None
        if span is None:
            right.append(SILENT if general and end > start else COLUMN["O"])
            continue
        prefix = "I" if span in started else "B"
        started.add(span)
        if general:
            right.append(ANY if span[2] is None else KINDS[span[2], prefix])
        else:
            right.append(COLUMN[f"{prefix}-{span[2]}"])
    return ids, of_pieces(text, offsets), right


def batches(sentences, tokenizer, tokens, seed):
    """Batches of about equal length up to `tokens` pieces each, in random order: ids, shapes, mask and rows of `RIGHT`."""
    examples = sorted((encoded(*sentence, tokenizer) for sentence in sentences), key=lambda example: len(example[0]))
    grouped, group = [], []
    for example in examples:
        if group and (len(group) + 1) * len(example[0]) > tokens:
            grouped.append(group)
            group = []
        group.append(example)
    grouped.append(group)
    random.Random(seed).shuffle(grouped)
    for group in grouped:
        length = max(len(ids) for ids, _, _ in group)
        filled = numpy.zeros((4, len(group), length), numpy.int64)
        for row, example in enumerate(group):
            count = len(example[0])
            filled[0, row, :count], filled[1, row, :count], filled[2, row, :count] = example
            filled[3, row, :count] = 1
        ids, shapes, right, mask = torch.from_numpy(filled)
        yield ids, shapes, mask.bool(), right


def validate(model, sentences, tokenizer, device):
    """Recall and precision of word pieces, identifier or not."""
    model.eval()
    found = right = gold = 0
    with torch.no_grad():
        for ids, shapes, mask, rows in batches(sentences, tokenizer, 6000, 0):
            identifier = (model(ids.to(device), shapes.to(device), mask.to(device)).float().softmax(-1)[..., 0] < .5).cpu() & mask
            truth = (rows != COLUMN["O"]) & mask
            found, right, gold = found + int(identifier.sum()), right + int((identifier & truth).sum()), gold + int(truth.sum())
    model.train()
    return right / max(gold, 1), right / max(found, 1)


if __name__ == "__main__":
    main()
