"""A BERT encoder with case shapes and a linear BIO head, small enough to be read, trained on a CPU and exported as a plain graph.

Sequences of one batch have the same length when the engine runs it, so the exported graph takes no attention mask.
"""

import math

import torch
from torch import nn
from torch.nn import functional


class Layer(nn.Module):
    def __init__(self, width, heads, inner):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.attention_norm = nn.LayerNorm(width, eps=1e-12)
        self.inner = nn.Linear(width, inner)
        self.outer = nn.Linear(inner, width)
        self.norm = nn.LayerNorm(width, eps=1e-12)

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

    def __init__(self, vocabulary, width, layers, heads, inner, columns, shapes, positions=512, dropout=0.1):
        super().__init__()
        self.words = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(positions, width)
        self.token_type = nn.Parameter(torch.zeros(width))
        self.shapes = nn.Embedding(shapes, width) if shapes else None
        self.norm = nn.LayerNorm(width, eps=1e-12)
        self.layers = nn.ModuleList(Layer(width, heads, inner) for _ in range(layers))
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
        for layer in self.layers:
            states = layer(states, mask, self.dropout)
        return self.head(functional.dropout(states, self.dropout, self.training))
