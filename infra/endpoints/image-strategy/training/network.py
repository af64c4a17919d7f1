"""The network that tells text, mixed and picture apart: a small ConvNeXt; train.py trains it and export.py writes it."""

import torch
from torch import nn

WIDTHS = (24, 48, 96, 144)
DEPTHS = (1, 1, 3, 1)
EXPANSION = 3
STEM_WIDTH = 16


class Block(nn.Module):
    """ConvNeXt block: depthwise 7 x 7, norm, widen, GELU, narrow, add.

    Batch norm instead of layer norm: it folds into the convolution at inference and costs nothing there.
    """

    def __init__(self, width: int):
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, 7, padding=3, groups=width, bias=False)
        self.norm = nn.BatchNorm2d(width)
        self.widen = nn.Conv2d(width, EXPANSION * width, 1)
        self.activation = nn.GELU()
        self.narrow = nn.Conv2d(EXPANSION * width, width, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.narrow(self.activation(self.widen(self.norm(self.depthwise(x)))))


class StrategyNetwork(nn.Module):
    """Takes RGB from 0 to 255 as float [n, 3, height, width], any size from 32 up; gives one logit per class [n, 3]."""

    def __init__(self, classes: int = 3):
        super().__init__()
        # Two overlapping convolutions instead of 4 x 4 patches: strokes are learnt in far fewer steps.
        layers: list[nn.Module] = [
            nn.Conv2d(3, STEM_WIDTH, 3, 2, padding=1, bias=False),
            nn.BatchNorm2d(STEM_WIDTH),
            nn.GELU(),
            nn.Conv2d(STEM_WIDTH, WIDTHS[0], 3, 2, padding=1, bias=False),
            nn.BatchNorm2d(WIDTHS[0]),
        ]
        stages: list[nn.Module] = []
        for stage, (width, depth) in enumerate(zip(WIDTHS, DEPTHS)):
            if stage > 0:
                before = WIDTHS[stage - 1]
                layers += [nn.BatchNorm2d(before), nn.Conv2d(before, width, 2, 2)]
            layers += [Block(width) for _ in range(depth)]
            stages.append(nn.Sequential(*layers))
            layers = []
        self.early = nn.Sequential(*stages[:-1])
        self.late = stages[-1]
        self.evidence = nn.Conv2d(WIDTHS[-2], 2, 1)
        self.norm = nn.BatchNorm1d(2 * WIDTHS[-1])
        self.dropout = nn.Dropout(0.1)
        self.head = nn.Linear(2 * WIDTHS[-1], classes)

    def forward(self, pixels: torch.Tensor) -> torch.Tensor:
        return self.classify(self.early(pixels / 127.5 - 1))

    def with_evidence(self, pixels: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The logits, and for each place of 16 x 16 pixels whether there is text and whether there is a picture, as two
        logits [n, 2, height / 16, width / 16]. Only training uses these."""
        x = self.early(pixels / 127.5 - 1)
        return self.classify(x), self.evidence(x)

    def classify(self, x: torch.Tensor) -> torch.Tensor:
        x = self.late(x)
        # The mean says what fills the picture; the maximum, whether a thing is there at all: one photo in a long chat.
        pooled = torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)
        return self.head(self.dropout(self.norm(pooled)))
