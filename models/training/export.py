"""Writes trained weights as a model's folder: graph, tokenizer, model.toml with digests.

    python export.py --base bge-small --cased --weights bge-small.safetensors --name bge-small-phi --out ../bge-small-phi

The weights are kept as int8 with a scale for each output column, and so a fourth of the size; `--rows` also computes in int8, each row of
activations on a scale of its own, so that a sentence's scores do not depend on its batch. Before anything is written, the graph's labels
are compared with PyTorch's on sentences of the validation split.
"""

import argparse
import itertools
from pathlib import Path

import numpy
import onnx
import onnxruntime
import torch
from blake3 import blake3
from safetensors.torch import load_file

from quantize import quantize_rows, quantize_weights
from recipe import pretrained
from recipe.labels import COLUMNS
from recipe.shapes import of_pieces
from train import _validation, tokenizer_of

LICENCES = {"bge-small": "MIT", "minilm": "Apache-2.0"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--base", required=True, choices=sorted(LICENCES))
    parser.add_argument("--cased", action="store_true")
    parser.add_argument("--weights", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--version", default="1")
    parser.add_argument("--description", default="names, places, organizations, jobs and other identifiers in clinical sentences, English ones first")
    parser.add_argument("--threshold", type=float, default=.5)
    parser.add_argument("--rows", action="store_true", help="int8 products, activations quantized row by row")
    parser.add_argument("--corpora", help="for the check against PyTorch")
    parser.add_argument("--out", required=True, type=Path)
    arguments = parser.parse_args()
    model = pretrained.load(arguments.base, arguments.cased)
    model.load_state_dict(load_file(arguments.weights))
    model.eval()
    arguments.out.mkdir(parents=True, exist_ok=True)
    plain = arguments.out / "model.fp32.onnx"
    graph = arguments.out / "model.onnx"
    export(model, arguments.cased, plain)
    (quantize_rows if arguments.rows else quantize_weights)(plain, graph)
    tokenizer = tokenizer_of(arguments.base)
    tokenizer.save(str(arguments.out / "tokenizer.json"), pretty=False)
    sentences = [text for text, _, _ in itertools.islice(_validation(arguments), 120)]
    for path in (plain, graph):
        print(path.name, f"{path.stat().st_size / 1e6:.1f} MB, same label as PyTorch on {agreement(model, path, tokenizer, sentences, arguments.cased):.4%} of word pieces")
    plain.unlink()
    write_card(arguments)


def export(model, cased, path):
    """The encoder as ONNX; batch and length may be any."""
    ids = torch.ones(2, 7, dtype=torch.long)
    inputs, names = ((ids, ids), ["input_ids", "shapes"]) if cased else ((ids,), ["input_ids"])
    axes = {name: {0: "batch", 1: "length"} for name in [*names, "logits"]}
    torch.onnx.export(model, inputs, str(path), input_names=names, output_names=["logits"], dynamic_axes=axes, opset_version=17, dynamo=False)
    onnx.checker.check_model(str(path))


def agreement(model, path, tokenizer, sentences, cased):
    """The share of word pieces to which the graph and PyTorch give the same label."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    same = pieces = 0
    for sentence in sentences:
        encoding = tokenizer.encode(sentence)
        ids, shapes = numpy.array([encoding.ids]), numpy.array([of_pieces(sentence, encoding.offsets)])
        with torch.no_grad():
            expected = model(torch.tensor(ids), torch.tensor(shapes)).argmax(-1).numpy()
        found = session.run(None, {"input_ids": ids, "shapes": shapes} if cased else {"input_ids": ids})[0].argmax(-1)
        same, pieces = same + int((found == expected).sum()), pieces + found.size
    return same / pieces


def write_card(arguments):
    digest = {name: blake3((arguments.out / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")}
    labels = ",\n    ".join(", ".join(f'"{label}"' for label in COLUMNS[at:at + 6]) for at in range(0, len(COLUMNS), 6))
    (arguments.out / "model.toml").write_text(f"""format = 1
name = "{arguments.name}"
version = "{arguments.version}"
licence = "{LICENCES[arguments.base]}"
description = "{arguments.description}"
data = "filled excerpts, clinical background and general entities; see README.md"
labels = [
    {labels},
]
max_length = 256
overlap = 32
lowercase = true
shapes = {str(arguments.cased).lower()}
bias = 0.0

[thresholds]
default = {arguments.threshold}

[files]
"model.onnx" = "{digest["model.onnx"]}"
"tokenizer.json" = "{digest["tokenizer.json"]}"
""", encoding="utf-8")


if __name__ == "__main__":
    main()
