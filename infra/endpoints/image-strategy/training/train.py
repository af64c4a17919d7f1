"""Trains the strategy network, calibrates it on held-out images, and writes the model folder; run by train.sh.

usage: train.py PACKED_DIR MODEL_DIR [MINUTES]
PACKED_DIR has `train` and `held-out` as pack.ts writes them. Two threads, fixed seeds; MINUTES is a limit, not a plan.
"""

import copy
import json
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import torch
from torch import nn

from network import StrategyNetwork
from packed import CLASSES, Pack, batches, count_batches, load_packs, vary

SEED = 7
THREADS = 2
BATCH = 32
RATE = 3e-3
# The scale of the images in each epoch; 1 is the size that is served. Small ones teach the coarse things in half the time.
SCALES = (0.72,) * 6 + (1.0,) * 6
WEIGHT_DECAY = 0.02
SMOOTHING = 0.02
AVERAGE_DECAY = 0.99
EVIDENCE_WEIGHT = 0.7
# So many places at least must show what is "somewhere" in an image.
PLACES = 4
# Of the held-out answers that are sure, at most this share may be wrong.
SURE_ERROR = 0.01
VERSION = "image-strategy-convnext-1"


def train(packed: Path, held_out: list[Pack], minutes: float) -> nn.Module:
    """The averaged weights after all epochs. Each epoch leaves a checkpoint in the packed folder; a run that was stopped goes
    on from there."""
    torch.manual_seed(SEED)
    chance = np.random.default_rng(SEED)
    packs = load_packs(packed / "train")
    network = StrategyNetwork(len(CLASSES)).to(memory_format=torch.channels_last)
    average = copy.deepcopy(network)
    optimizer = torch.optim.AdamW(network.parameters(), lr=RATE, weight_decay=WEIGHT_DECAY)
    steps = len(SCALES) * count_batches(packs, BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps, pct_start=0.15)
    parts = {"network": network, "average": average, "optimizer": optimizer, "schedule": schedule}
    checkpoint = packed / "checkpoint.pt"
    done = load_checkpoint(checkpoint, parts, chance) if checkpoint.exists() else 0
    print(f"{sum(p.numel() for p in network.parameters())} parameters, {steps} steps", flush=True)
    until = time.monotonic() + minutes * 60
    for epoch in range(done, len(SCALES)):
        loss, right = train_epoch(network, average, optimizer, schedule, batches(packs, BATCH, chance), SCALES[epoch], chance)
        save_checkpoint(checkpoint, parts, chance, epoch + 1)
        logits, labels, _ = answers(average, held_out)
        share = (logits.argmax(1) == labels).float().mean()
        print(f"epoch {epoch + 1} loss {loss:.3f} right {right:.4f} held out {share:.4f}", flush=True)
        if time.monotonic() > until:
            raise SystemExit("Out of time; start again to go on from the last epoch")
    return average


def train_epoch(
    network: nn.Module, average: nn.Module, optimizer: torch.optim.Optimizer, schedule: torch.optim.lr_scheduler.LRScheduler,
    dealt: Iterator[tuple[torch.Tensor, torch.Tensor]], scale: float, chance: np.random.Generator,
) -> np.ndarray:
    """The mean loss, and the share of the images that were right while the network learnt from them."""
    loss_of = nn.CrossEntropyLoss(label_smoothing=SMOOTHING)
    network.train()
    figures = []
    for pixels, labels in dealt:
        pixels = vary(pixels, scale, chance).contiguous(memory_format=torch.channels_last)
        logits, places = network.with_evidence(pixels)
        loss = loss_of(logits, labels) + EVIDENCE_WEIGHT * evidence_loss(places, labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(network.parameters(), 5)
        optimizer.step()
        schedule.step()
        follow(average, network)
        figures.append((loss.item(), (logits.argmax(1) == labels).float().mean().item()))
    return np.mean(figures, 0)


def save_checkpoint(file: Path, parts: dict[str, object], chance: np.random.Generator, epoch: int) -> None:
    states = {name: part.state_dict() for name, part in parts.items()}
    random = {"chance": json.dumps(chance.bit_generator.state), "torch": torch.get_rng_state()}
    torch.save({"epoch": epoch, "states": states, **random}, file.with_suffix(".new"))
    # A stop in the middle of writing must not cost the epochs before.
    file.with_suffix(".new").replace(file)


def load_checkpoint(file: Path, parts: dict[str, object], chance: np.random.Generator) -> int:
    saved = torch.load(file, weights_only=True)
    for name, part in parts.items():
        part.load_state_dict(saved["states"][name])
    chance.bit_generator.state = json.loads(saved["chance"])
    torch.set_rng_state(saved["torch"])
    return saved["epoch"]


def evidence_loss(places: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
    """What a class says of every place: no place of a picture has text, no place of a text has a picture; and a text or a
    mixed image has text in some place, a mixed one a picture too. (A picture may be one plain colour.)

    One label for an image teaches slowly; these are some two hundred.
    """
    text, picture = places.flatten(2).unbind(1)
    nowhere = nn.functional.softplus
    some_text, some_picture = (nn.functional.softplus(-maps.topk(PLACES, 1).values.mean(1)) for maps in (text, picture))
    is_text, is_mixed, is_picture = (labels == number for number in range(len(CLASSES)))
    return (
        torch.where(is_picture, nowhere(text).mean(1), some_text)
        + torch.where(is_text, nowhere(picture).mean(1), some_picture * is_mixed)
    ).mean()


def follow(average: nn.Module, network: nn.Module) -> None:
    """A running mean of the weights; it generalises a little better than their last values."""
    with torch.no_grad():
        for mean, value in zip(average.state_dict().values(), network.state_dict().values()):
            if mean.dtype.is_floating_point:
                mean.lerp_(value, 1 - AVERAGE_DECAY)
            else:
                mean.copy_(value)


def answers(network: nn.Module, packs: list[Pack]) -> tuple[torch.Tensor, torch.Tensor, list[str]]:
    """Logits [n, classes], labels [n] and kinds of all images."""
    network.eval()
    logits, labels, kinds = [], [], []
    with torch.no_grad():
        for pack in packs:
            for at in range(0, len(pack.labels), 64):
                pixels = torch.from_numpy(pack.pixels[at : at + 64]).float()
                logits.append(network(pixels.contiguous(memory_format=torch.channels_last)))
            labels.append(torch.from_numpy(pack.labels))
            kinds += pack.kinds
    return torch.cat(logits), torch.cat(labels), kinds


def fit_temperature(logits: torch.Tensor, labels: torch.Tensor) -> float:
    """The temperature with the least cross-entropy, searched on a fine grid."""
    grid = torch.linspace(0.3, 4, 371)
    losses = torch.stack([nn.functional.cross_entropy(logits / t, labels) for t in grid])
    return round(float(grid[losses.argmin()]), 2)


def fit_threshold(probabilities: torch.Tensor, labels: torch.Tensor) -> float:
    """The lowest threshold from 0.5 up at which the sure answers err no more often than SURE_ERROR."""
    top, said = probabilities.max(1)
    for threshold in torch.arange(0.5, 0.96, 0.01):
        sure = top >= threshold
        if (said[sure] != labels[sure]).float().mean() <= SURE_ERROR:
            return round(float(threshold), 2)
    return 0.95


def calibration_error(probabilities: torch.Tensor, labels: torch.Tensor, bins: int = 10) -> float:
    """Expected calibration error of the top probability over bins of equal width."""
    top, said = probabilities.max(1)
    right = (said == labels).float()
    bin_of = (top * bins).long().clamp(max=bins - 1)
    gaps = [abs(float((right - top)[bin_of == b].sum())) for b in range(bins)]
    return sum(gaps) / len(labels)


def report(probabilities: torch.Tensor, labels: torch.Tensor, kinds: list[str], sure_from: float) -> dict[str, object]:
    said = probabilities.argmax(1)
    by_kind: dict[str, list[bool]] = defaultdict(list)
    for kind, right in zip(kinds, (said == labels).tolist()):
        by_kind[kind].append(right)
    return {
        "images": len(labels),
        "accuracy": round(float((said == labels).float().mean()), 4),
        "confusion": [[int(((labels == i) & (said == j)).sum()) for j in range(3)] for i in range(3)],
        "unsure": int((probabilities.max(1).values < sure_from).sum()),
        "calibrationError": round(calibration_error(probabilities, labels), 4),
        "kinds": {kind: f"{sum(rights)}/{len(rights)}" for kind, rights in sorted(by_kind.items())},
    }


def main(packed: Path, out: Path, minutes: float) -> None:
    torch.set_num_threads(THREADS)
    held_out = load_packs(packed / "held-out")
    network = train(packed, held_out, minutes)
    torch.save(network.state_dict(), packed / "network.pt")
    logits, labels, kinds = answers(network, held_out)
    temperature = fit_temperature(logits, labels)
    probabilities = torch.softmax(logits / temperature, 1)
    sure_from = fit_threshold(probabilities, labels)
    out.mkdir(parents=True, exist_ok=True)
    settings = {"model": VERSION, "classes": list(CLASSES), "temperature": temperature, "sureFrom": sure_from}
    (out / "strategy.json").write_text(json.dumps(settings, indent=2) + "\n")
    figures = report(probabilities, labels, kinds, sure_from)
    (packed / "held-out.json").write_text(json.dumps(figures, indent=1))
    print(json.dumps({**settings, **figures}, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]) if len(sys.argv) > 3 else 240)
