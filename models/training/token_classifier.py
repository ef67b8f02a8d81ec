"""A BERT encoder with a linear head per word piece, and its export as the ONNX graph that plainsight reads.

    input_ids, attention_mask, token_type_ids [, shapes]  ->  logits [batch, length, labels]
"""

import torch
from transformers import BertModel

SHAPES = 17


class TokenClassifier(torch.nn.Module):
    """Scores of labels for every word piece; with `shapes`, an embedding of word shapes is added to the pieces' own."""

    def __init__(self, encoder: BertModel, labels: int, shapes: bool):
        super().__init__()
        self.encoder = encoder
        width = encoder.config.hidden_size
        self.shapes = torch.nn.Embedding(SHAPES, width) if shapes else None
        if self.shapes is not None:
            torch.nn.init.normal_(self.shapes.weight, std=0.02)
        self.head = torch.nn.Linear(width, labels)

    def forward(self, input_ids, attention_mask, token_type_ids, shapes=None):
        pieces = self.encoder.embeddings.word_embeddings(input_ids)
        if self.shapes is not None:
            pieces = pieces + self.shapes(shapes)
        hidden = self.encoder(
            inputs_embeds=pieces, attention_mask=attention_mask, token_type_ids=token_type_ids
        ).last_hidden_state
        return self.head(hidden)


def export(model: TokenClassifier, path: str) -> None:
    """Writes the graph with free batch size and length."""
    names = ["input_ids", "attention_mask", "token_type_ids"] + (["shapes"] if model.shapes is not None else [])
    example = torch.ones(2, 9, dtype=torch.int64)
    free = {0: "batch", 1: "length"}
    torch.onnx.export(
        model.eval(),
        tuple(example.clone() for _ in names),
        path,
        input_names=names,
        output_names=["logits"],
        dynamic_axes={name: free for name in [*names, "logits"]},
        opset_version=17,
        dynamo=False,
    )
