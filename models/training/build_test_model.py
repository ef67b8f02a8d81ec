"""Builds the tiny random models of the tests: 2 layers, 32 wide, about 200 word pieces, nothing trained.

    python build_test_model.py src/detect/neural/fixtures
"""

import string
import sys
from pathlib import Path

import blake3
import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import BertConfig, BertModel

from token_classifier import TokenClassifier, export

LABELS = ["O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE", "B-CITY", "I-CITY"]
WORDS = "patient seen by dr smith john mary on in at the a of and is was boston may march clinic pain no fever md mr".split()
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def tokenizer() -> Tokenizer:
    marks = [mark for mark in string.punctuation]
    single = list(string.ascii_lowercase + string.digits) + ["é", "ñ", "ß", "中", "文", "я"]
    inner = ["##" + character for character in string.ascii_lowercase + string.digits + "éñßя"]
    endings = ["##son", "##ing", "##er", "##ed", "##ly"]
    pieces = SPECIAL + marks + single + inner + endings + [word for word in WORDS if len(word) > 1]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(pieces))}
    made = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    made.normalizer = normalizers.BertNormalizer(lowercase=True)
    made.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    made.add_special_tokens(SPECIAL)
    return made


def build(folder: Path, shapes: bool) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pieces = tokenizer()
    pieces.save(str(folder / "tokenizer.json"), pretty=False)
    torch.manual_seed(7)
    config = BertConfig(
        vocab_size=pieces.get_vocab_size(), hidden_size=32, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=64, max_position_embeddings=32, attn_implementation="eager",
    )
    encoder = BertModel(config, add_pooling_layer=False)
    # Weights larger than at the usual start, so that labels differ from word to word.
    for weight in encoder.parameters():
        if weight.dim() == 2:
            torch.nn.init.normal_(weight, std=0.25)
    model = TokenClassifier(encoder, len(LABELS), shapes)
    torch.nn.init.normal_(model.head.weight, std=0.4)
    if shapes:
        torch.nn.init.normal_(model.shapes.weight, std=0.5)
    export(model, str(folder / "model.onnx"))
    digests = {name: blake3.blake3((folder / name).read_bytes()).hexdigest() for name in ("model.onnx", "tokenizer.json")}
    (folder / "model.toml").write_text(
        f"""format = 1
name = "tiny-{'shaped' if shapes else 'plain'}"
version = "1"
licence = "Apache-2.0"
description = "random weights, for tests"
data = "none"
labels = {LABELS!r}
max_length = 32
overlap = 8
lowercase = true
shapes = {str(shapes).lower()}

[thresholds]
default = 0.4
PATIENT = 0.3

[files]
"model.onnx" = "{digests['model.onnx']}"
"tokenizer.json" = "{digests['tokenizer.json']}"
""".replace("'", '"')
    )


if __name__ == "__main__":
    target = Path(sys.argv[1])
    torch.set_num_threads(1)
    build(target / "plain", shapes=False)
    build(target / "shaped", shapes=True)
