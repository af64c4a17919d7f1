"""Reads what pack.ts wrote, and deals out batches of one shape each; used by train.py."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

CLASSES = ("text", "mixed", "picture")


@dataclass
class Pack:
    """Images of one shape: pixels uint8 [n, 3, height, width], labels [n], kinds (the scene that drew each)."""

    pixels: np.ndarray
    labels: np.ndarray
    kinds: list[str]


def load_pixels(listing: Path) -> tuple[list[str], np.ndarray]:
    """The files that a listing names, and their pixels uint8 [n, 3, height, width]."""
    files: list[str] = json.loads(listing.read_text())
    width, height = map(int, listing.stem.split("x"))
    return files, np.fromfile(listing.with_suffix(".u8"), np.uint8).reshape(len(files), 3, height, width)


def load_packs(folder: Path) -> list[Pack]:
    packs = []
    for listing in sorted(folder.glob("*.json")):
        files, pixels = load_pixels(listing)
        if files:
            labels = np.array([CLASSES.index(Path(file).parts[0]) for file in files])
            packs.append(Pack(pixels, labels, [f"{Path(file).parts[0]}/{file.split('.')[1]}" for file in files]))
    return packs


def batches(packs: list[Pack], size: int, chance: np.random.Generator) -> Iterator[tuple[torch.Tensor, torch.Tensor]]:
    """Every image once, in random order; a batch has one shape. What does not fill a batch waits for the next round."""
    deals: list[tuple[Pack, np.ndarray]] = []
    for pack in packs:
        order = chance.permutation(len(pack.labels))
        deals += [(pack, order[at : at + size]) for at in range(0, len(order) - size + 1, size)]
    for deal in chance.permutation(len(deals)):
        pack, chosen = deals[deal]
        yield torch.from_numpy(pack.pixels[chosen]).float(), torch.from_numpy(pack.labels[chosen])


def count_batches(packs: list[Pack], size: int) -> int:
    return sum(len(pack.labels) // size for pack in packs)


def vary(pixels: torch.Tensor, scale: float, chance: np.random.Generator) -> torch.Tensor:
    """Chance changes that keep the class: a slight zoom, mirror, light, contrast, colours swapped or inverted, noise.

    `scale` shrinks the images; small ones teach the coarse things in half the time. What changes the colours is drawn
    for each image, since a whole batch in other colours would drag the running means of the batch norms about.
    """
    count, _, height, width = pixels.shape
    if chance.random() < 0.5:
        keep = chance.uniform(0.86, 1)
        high, wide = int(height * keep), int(width * keep)
        top, left = chance.integers(height - high + 1), chance.integers(width - wide + 1)
        pixels = pixels[:, :, top : top + high, left : left + wide]
    target = (round(height * scale / 32) * 32, round(width * scale / 32) * 32)
    if pixels.shape[2:] != target:
        pixels = functional.interpolate(pixels, target, mode="bilinear", antialias=True)
    if chance.random() < 0.5:
        pixels = pixels.flip(3)
    # One 3 x 3 matrix and one shift for each image do all that is done to colours.
    matrix = np.stack([np.eye(3)[chance.permutation(3)] if chance.random() < 0.15 else np.eye(3) for _ in range(count)])
    matrix[chance.random(count) < 0.1] = 1 / 3
    gain = chance.uniform(0.8, 1.2, (count, 1, 1)) * np.where(chance.random((count, 1, 1)) < 0.08, -1, 1)
    shift = chance.uniform(-20, 20, (count, 3, 1)) * (chance.random((count, 1, 1)) < 0.4)
    flat = (pixels - 128).reshape(count, 3, -1)
    flat = torch.baddbmm(torch.from_numpy(shift).float(), torch.from_numpy(matrix * gain).float(), flat)
    pixels = (flat + 128).reshape(count, 3, *target)
    if chance.random() < 0.08:
        pixels = pixels + torch.randn_like(pixels) * chance.uniform(0, 8)
    return pixels.clamp(0, 255)
