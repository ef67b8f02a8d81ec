"""Smaller and faster graphs: int8 weights with a scale for each output column, and int8 products with a scale for each row.

    python quantize.py weights model.onnx model.int8.onnx     a quarter of the size, computed in float
    python quantize.py rows model.onnx model.int8.onnx        also computed in int8

A row is what one word piece brings to a product. Its scale is its own greatest value, so a piece's scores depend on its sentence only; the
usual dynamic quantization takes one scale from the whole batch, and a sentence would change with its neighbours. Not all of eight bits is
used: processors without the newest instructions add two products in sixteen bits, which must not overflow.
"""

import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

#: The steps of weights that are computed with in float.
WEIGHT_STEPS = 127
#: The steps of weights and of activations that are computed with in int8; 2 (2 · 90 + 1) 90 is below 2^15.
STEPS = 90
#: Smaller matrices stay as they are: the head, whose scores decide, and the embeddings of positions and shapes.
LEAST_WEIGHTS = 128 * 128
LEAST_WORDS = 1 << 20


def quantize_weights(source, target):
    """Keeps the weights of products and embeddings of words as int8, with a scale for each column or word; computes in float."""
    model = onnx.load(str(source))
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    products, words = _products(model.graph, tensors), _embeddings(model.graph, tensors)
    # A cast and a product of constants: runtimes compute them when they load the graph.
    nodes = []
    for name in products:
        nodes.append(helper.make_node("Cast", [f"{name}.int8"], [f"{name}.steps"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Mul", [f"{name}.steps", f"{name}.scale"], [name]))
    for node in model.graph.node:
        nodes.extend(_looked_up(node) if node.op_type == "Gather" and node.input[0] in words else [node])
    _save(model, nodes, _in_steps(tensors, products, words), target)


def quantize_rows(source, target):
    """As `quantize_weights`, and computes the products with constant weights in int8."""
    model = onnx.load(str(source))
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    products, words = _products(model.graph, tensors), _embeddings(model.graph, tensors)
    nodes, rows = [], set()
    for node in model.graph.node:
        if node.op_type == "MatMul" and node.input[1] in products:
            if node.input[0] not in rows:
                rows.add(node.input[0])
                nodes.extend(_rows(node.input[0]))
            nodes.extend(_product(node))
        elif node.op_type == "Gather" and node.input[0] in words:
            nodes.extend(_looked_up(node))
        else:
            nodes.append(node)
    constants = [
        _tensor("rows.steps", numpy.array(STEPS, numpy.float32)),
        _tensor("rows.least", numpy.array(1e-12, numpy.float32)),
        _tensor("rows.middle", numpy.array(STEPS + 1.5, numpy.float32)),
        _tensor("rows.zero", numpy.array(STEPS + 1, numpy.uint8)),
    ]
    _save(model, nodes, {**_in_steps(tensors, products, words, STEPS), None: constants}, target)


def _rows(values):
    """Each row is divided by its greatest magnitude, and rounded to whole steps: a cast cuts off the half that was added too much."""
    return [
        helper.make_node("Abs", [values], [f"{values}.abs"]),
        helper.make_node("ReduceMax", [f"{values}.abs"], [f"{values}.most"], axes=[-1], keepdims=1),
        helper.make_node("Max", [f"{values}.most", "rows.least"], [f"{values}.greatest"]),
        helper.make_node("Div", [f"{values}.greatest", "rows.steps"], [f"{values}.scale"]),
        helper.make_node("Div", [values, f"{values}.scale"], [f"{values}.steps"]),
        helper.make_node("Add", [f"{values}.steps", "rows.middle"], [f"{values}.shifted"]),
        helper.make_node("Cast", [f"{values}.shifted"], [f"{values}.uint8"], to=TensorProto.UINT8),
    ]


def _product(node):
    """The product of rows and columns in steps, times the sizes of their steps."""
    values, name, output = node.input[0], node.input[1], node.output[0]
    return [
        helper.make_node("MatMulInteger", [f"{values}.uint8", f"{name}.int8", "rows.zero"], [f"{output}.sums"]),
        helper.make_node("Cast", [f"{output}.sums"], [f"{output}.float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{output}.float", f"{name}.scale"], [f"{output}.columns"]),
        helper.make_node("Mul", [f"{output}.columns", f"{values}.scale"], [output]),
    ]


def _looked_up(node):
    """The words' steps, times the sizes of theirs."""
    name, ids, output = node.input[0], node.input[1], node.output[0]
    return [
        helper.make_node("Gather", [f"{name}.int8", ids], [f"{output}.int8"], axis=0),
        helper.make_node("Gather", [f"{name}.scale", ids], [f"{output}.scale"], axis=0),
        helper.make_node("Cast", [f"{output}.int8"], [f"{output}.steps"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{output}.steps", f"{output}.scale"], [output]),
    ]


def _products(graph, tensors):
    """The constant right sides of products, in the graph's order."""
    right = [node.input[1] for node in graph.node if node.op_type == "MatMul"]
    return dict.fromkeys(name for name in right if _is_matrix(tensors.get(name), LEAST_WEIGHTS))


def _embeddings(graph, tensors):
    """The tables that words are looked up in, in the graph's order."""
    tables = [node.input[0] for node in graph.node if node.op_type == "Gather"]
    return dict.fromkeys(name for name in tables if _is_matrix(tensors.get(name), LEAST_WORDS))


def _is_matrix(tensor, least):
    is_float = tensor is not None and tensor.data_type == TensorProto.FLOAT
    return is_float and len(tensor.dims) == 2 and tensor.dims[0] * tensor.dims[1] >= least


def _in_steps(tensors, products, words, product_steps=WEIGHT_STEPS):
    """The tensors that stand for each that is quantized: steps, and the size of a step for each column, or word."""
    made = {}
    for name in [*products, *words]:
        array = numpy_helper.to_array(tensors[name])
        greatest = numpy.abs(array).max(axis=0 if name in products else 1, keepdims=True)
        most = product_steps if name in products else WEIGHT_STEPS
        scale = (numpy.maximum(greatest, 1e-12) / most).astype(numpy.float32)
        steps = numpy.rint(array / scale).clip(-most, most).astype(numpy.int8)
        scale = scale[0] if name in products else scale
        made[name] = [_tensor(f"{name}.int8", steps), _tensor(f"{name}.scale", scale)]
    return made


def _tensor(name, array):
    return numpy_helper.from_array(array, name)


def _save(model, nodes, replaced, target):
    """Writes the model with other nodes, and with other tensors for those that are named."""
    kept = [tensor for tensor in model.graph.initializer if tensor.name not in replaced]
    kept += [tensor for made in replaced.values() for tensor in made]
    nodes = list(nodes)
    graph = helper.make_graph(nodes, model.graph.name, model.graph.input, model.graph.output, kept)
    made = helper.make_model(graph, opset_imports=model.opset_import, ir_version=model.ir_version)
    onnx.checker.check_model(made)
    onnx.save(made, str(target))


if __name__ == "__main__":
    if len(sys.argv) != 4 or sys.argv[1] not in ("weights", "rows"):
        raise SystemExit(__doc__)
    {"weights": quantize_weights, "rows": quantize_rows}[sys.argv[1]](sys.argv[2], sys.argv[3])
