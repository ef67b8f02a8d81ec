"""The token-classification pipeline of Hugging Face on the sentences and with the encoder of one of plainsight's models.

    cargo bench --bench models … -- --texts sentences.txt        # writes the sentences, and tells plainsight's rate
    python pipeline.py ../../models/bge-small-phi sentences.txt [--device cuda --half]

The same weights in the same architecture, in floating point (of 16 bits with --half), but for the embedding of case shapes, which the pipeline's models have no
place for: what it says differs by that, what it costs does not. Every batch size of --batches is tried and the fastest one told.
"""

import argparse
import sys
import time
from pathlib import Path

import torch
from transformers import BertConfig, BertForTokenClassification, BertTokenizerFast, pipeline

sys.path.insert(0, str(Path(__file__).parents[2] / "models/training"))
from recipe import pretrained  # noqa: E402
from recipe.labels import COLUMNS  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", type=Path, help="the model's folder")
    parser.add_argument("--batches", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--sentences", type=int, default=1000, help="how many to read with each batch size")
    parser.add_argument("--threads", type=int, help="default: one a processor")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--half", action="store_true")
    parser.add_argument("texts")
    arguments = parser.parse_args()
    if arguments.threads:
        torch.set_num_threads(arguments.threads)
    sentences = Path(arguments.texts).read_text(encoding="utf-8").splitlines()[:arguments.sentences]
    tokenizer = BertTokenizerFast(tokenizer_file=str(arguments.model / "tokenizer.json"))
    model = bert(pretrained.start(arguments.model / "model.onnx"))
    tagger = pipeline("token-classification", model=model.half() if arguments.half else model, tokenizer=tokenizer, device=arguments.device)
    rates = {}
    for batch in arguments.batches:
        tagger(sentences[:batch], batch_size=batch)
        begun = time.time()
        tagger(sentences, batch_size=batch)
        rates[batch] = len(sentences) / (time.time() - begun)
        print(f"batches of {batch}: {rates[batch]:.0f} sentences/s", flush=True)
    print(f"fastest: {max(rates.values()):.0f} sentences/s on {torch.get_num_threads()} threads")


def bert(weights):
    """The encoder's weights under the names that the library has for them."""
    width, vocabulary = weights["words.weight"].shape[1], weights["words.weight"].shape[0]
    layers = 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))
    config = BertConfig(
        vocab_size=vocabulary, hidden_size=width, num_hidden_layers=layers, num_attention_heads=12,
        intermediate_size=weights["layers.0.inner.weight"].shape[0], num_labels=len(COLUMNS),
        id2label=dict(enumerate(COLUMNS)), label2id={label: column for column, label in enumerate(COLUMNS)},
    )
    model = BertForTokenClassification(config)
    renamed = {
        "bert.embeddings.word_embeddings.weight": weights["words.weight"],
        "bert.embeddings.position_embeddings.weight": weights["positions.weight"],
        "bert.embeddings.token_type_embeddings.weight": weights["token_type"].repeat(2, 1),
        "bert.embeddings.LayerNorm.weight": weights["norm.weight"], "bert.embeddings.LayerNorm.bias": weights["norm.bias"],
        "classifier.weight": weights["head.weight"], "classifier.bias": weights["head.bias"],
    }
    parts = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "output": "attention.output.dense", "attention_norm": "attention.output.LayerNorm",
        "inner": "intermediate.dense", "outer": "output.dense", "norm": "output.LayerNorm",
    }
    for layer in range(layers):
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                renamed[f"bert.encoder.layer.{layer}.{theirs}.{kind}"] = weights[f"layers.{layer}.{ours}.{kind}"]
    missing, unknown = model.load_state_dict(renamed, strict=False)
    if unknown or missing:
        raise SystemExit(f"weights that do not fit: missing {missing}, unknown {unknown}")
    return model.eval()


if __name__ == "__main__":
    main()
