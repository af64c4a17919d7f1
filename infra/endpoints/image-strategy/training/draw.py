"""Draws the training images with PIL, one folder per part and class; run by train.sh.

usage: draw.py PACKAGES_DIR POOL_DIR OUT_DIR TRAIN_PER_CLASS HELD_OUT_PER_CLASS [SEED]
The held-out part shows other source pictures than the training part. An image that exists already is not drawn again.
"""

import os
import sys
import zlib
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from PIL import Image, ImageFilter

from scenes import mixed, picture, text
from scenes.material import Material

CLASSES = {"text": text.KINDS, "mixed": mixed.KINDS, "picture": picture.KINDS}
PARTS = ("train", "held-out")
HELD_OUT_SHARE = 8


def pools_of(folder: Path, part: str) -> dict[str, list[Path]]:
    """Every eighth source picture, by the checksum of its name, belongs to the held-out part."""
    def belongs(file: Path) -> bool:
        return (zlib.crc32(file.name.encode()) % HELD_OUT_SHARE == 0) == (part == "held-out")

    return {pool.name: [file for file in sorted(pool.iterdir()) if belongs(file)] for pool in sorted(folder.iterdir())}


def wear(material: Material, image: Image.Image) -> Image.Image:
    """What happens to images on their way: scaled up or down, blurred, cut at the edges."""
    pick = material.random
    if pick.random() < 0.25:
        left, top = pick.uniform(0, 0.06) * image.width, pick.uniform(0, 0.06) * image.height
        right, bottom = image.width - pick.uniform(0, 0.06) * image.width, image.height - pick.uniform(0, 0.06) * image.height
        image = image.crop((round(left), round(top), round(right), round(bottom)))
    if pick.random() < 0.5:
        scale = pick.choice((0.45, 0.6, 0.75, 1.3, 1.7))
        image = image.resize((round(image.width * scale), round(image.height * scale)),
                             pick.choice((Image.Resampling.BILINEAR, Image.Resampling.LANCZOS)))
    if pick.random() < 0.12:
        image = image.filter(ImageFilter.GaussianBlur(pick.uniform(0.4, 1.4)))
    return image


def draw_one(file_stem: Path, label: str, seed: str, packages: Path, pools: dict[str, list[Path]]) -> None:
    material = Material(seed, packages, pools)
    kinds = CLASSES[label]
    kind = material.random.choices(list(kinds), [weight for weight, _ in kinds.values()])[0]
    image = wear(material, kinds[kind][1](material))
    # A name that is there is a whole image, whenever the program was stopped.
    unfinished = file_stem.with_name(f"unfinished-{file_stem.name}")
    if material.random.random() < 0.25:
        image.save(unfinished, "PNG", compress_level=1)
        suffix = "png"
    else:
        image.save(unfinished, "JPEG", quality=material.random.choice((35, 50, 65, 80, 90)))
        suffix = "jpg"
    unfinished.rename(file_stem.with_name(f"{file_stem.name}.{kind}.{suffix}"))


def draw_some(folder: Path, part: str, label: str, seed: str, numbers: range, packages: Path, pools: dict[str, list[Path]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    there = {file.name.split(".")[0] for file in folder.iterdir()}
    for number in numbers:
        if f"{seed}-{number:05}" not in there:
            draw_one(folder / f"{seed}-{number:05}", label, f"{seed} {part} {label} {number}", packages, pools)


def main(packages: Path, pool_folder: Path, out: Path, counts: tuple[int, int], seed: str) -> None:
    workers = os.cpu_count() or 1
    with ProcessPoolExecutor(workers) as executor:
        for part, count in zip(PARTS, counts):
            pools = pools_of(pool_folder, part)
            for label in CLASSES:
                shares = [range(first, count, workers) for first in range(workers)]
                done = [executor.submit(draw_some, out / part / label, part, label, seed, share, packages, pools) for share in shares]
                for future in done:
                    future.result()
                print(f"{part} {label}: {count}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), (int(sys.argv[4]), int(sys.argv[5])), sys.argv[6] if len(sys.argv) > 6 else "1")
