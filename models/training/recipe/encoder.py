"""A BERT encoder with case shapes and a linear BIO head, small enough to be read, trained on a CPU and exported as a plain graph.

Sequences of one batch have the same length when the engine runs it, so the exported graph takes no attention mask.
With a bias of attention by distance it is MPNet (Song 2020), which teaches and is not exported.
"""

import math

import torch
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, width, heads, inner, eps):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, eps=eps)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=eps)

    def forward(self, states, mask, dropout):
        batch, length, width = states.shape
        split = lambda part: part(states).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        query, key, value = split(self.query), split(self.key), split(self.value)
        if mask is None:
            scores = query @ key.transpose(-1, -2) / math.sqrt(width // self.heads)
            mixed = torch.softmax(scores, -1) @ value
        else:
            mixed = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        mixed = self.output(mixed.transpose(1, 2).reshape(batch, length, width))
        states = self.attention_norm(states + functional.dropout(mixed, dropout, self.training))
        inner = self.outer(functional.gelu(self.inner(states)))
        return self.norm(states + functional.dropout(inner, dropout, self.training))


class Encoder(nn.Module):
    """`input_ids`, `shapes` [batch, length] in; logits [batch, length, columns] out. Without shapes it is an uncased model."""

    def __init__(self, vocabulary, width, layers, heads, inner, columns, shapes, positions=512, dropout=0.1, distances=0, eps=1e-12):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(positions, width)
        self.token_type = nn.Parameter(torch.zeros(width))
        self.shapes = nn.Embedding(shapes, width) if shapes else None
        self.norm = nn.LayerNorm(width, eps=eps)
        self.distances = nn.Embedding(distances, heads) if distances else None
        self.layers = nn.ModuleList(Layer(width, heads, inner, eps) for _ in range(layers))
        self.head = nn.Linear(width, columns)
        self.dropout = dropout
        if shapes:
            nn.init.zeros_(self.shapes.weight)

    def forward(self, input_ids, shapes=None, mask=None):
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        states = self.words(input_ids) + self.positions(places) + self.token_type
        if self.shapes is not None:
            states = states + self.shapes(shapes)
        states = functional.dropout(self.norm(states), self.dropout, self.training)
        if mask is not None:
            mask = torch.where(mask[:, None, None, :], 0.0, -1e4).to(states.dtype)
            if self.distances is not None:
                mask = mask + self.distances(buckets(places, self.distances.num_embeddings)).permute(2, 0, 1).to(mask.dtype)
        for layer in self.layers:
            states = layer(states, mask, self.dropout)
        return self.head(functional.dropout(states, self.dropout, self.training))


def buckets(places, count):
    """The bucket of the distance from each place to each other: near ones each their own, far ones by the logarithm (Raffel 2020, T5)."""
    distance = places[:, None] - places[None, :]
    half, near = count // 2, count // 4
    far = near + (torch.log(distance.abs().clamp(min=1) / near) / math.log(128 / near) * (half - near)).long()
    return (distance < 0) * half + torch.where(distance.abs() < near, distance.abs(), far.clamp(max=half - 1))
