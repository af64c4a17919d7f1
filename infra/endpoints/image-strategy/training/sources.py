"""Sorts the pictures inside unpacked Debian packages into pools (photo, cutout, texture, drawing); run by train.sh.

usage: sources.py PACKAGES_DIR POOL_DIR
PACKAGES_DIR holds one folder per package as `dpkg -x` leaves it. Everything is written small, as the scenes need it.
"""

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from PIL import Image, UnidentifiedImageError

LONGEST = 900
SHORTEST = 128
Image.MAX_IMAGE_PIXELS = 80_000_000

# Package, path inside it (regular expression), pool, most pictures taken (evenly spread over the sorted names).
# What shows writing (buttons, flags with mottos, labelled maps) is left out by path.
RULES: list[tuple[str, str, str, int]] = [
    ("gcompris-qt-data", r"rcc/(explore_monuments|explore_farm|explore_world_animals|explore_world_music|categorization"
     r"|details|paintings|photo_hunter|clickanddraw|left_right_click|leftright|sea|mosaic)", "photo", 500),
    ("plasma-workspace-wallpapers", r"contents/images/", "photo", 80),
    ("stellarium-data", r"landscapes/.*\.(jpg|png)$", "photo", 60),
    ("stellarium-data", r"nebulae/default/", "photo", 60),
    ("tuxpaint-stamps-default", r"stamps/.*\.png$", "cutout", 500),
    ("openclipart-png", r"\.png$", "clipart", 900),
    ("supertuxkart-data", r"data/textures/.*\.(jpg|png)$", "texture", 260),
    ("supertuxkart-data", r"data/tracks/.*\.(jpg|png)$", "texture", 160),
    ("supertuxkart-data", r"textures/skybox/", "photo", 32),
    ("hedgewars-data", r"Graphics/(Hedgehog|Hats|Graves)|Themes/.*(Sky|horizont|Border|LandTex)", "drawing", 200),
    ("tuxpaint-data", r"starters/|templates/", "drawing", 80),
]
WRITING = re.compile(r"sign|logo|banner|text|font|letter|number|word|button|label|keyboard|alphabet|ad_|poster|flag", re.I)


def packed_pictures(file: Path) -> Iterator[tuple[str, bytes]]:
    """The JPEG, PNG and WebP files inside a Qt resource file, which stores them one after another as they are."""
    data = file.read_bytes()
    for number, match in enumerate(re.finditer(rb"\xff\xd8\xff|\x89PNG\r\n\x1a\n|RIFF....WEBP", data, re.S)):
        start = match.start()
        if data[start : start + 4] == b"RIFF":
            end = start + 8 + int.from_bytes(data[start + 4 : start + 8], "little")
        else:
            # The size stands before each entry, big-endian; decoders of both formats ignore what follows the picture.
            end = start + int.from_bytes(data[start - 4 : start], "big")
        yield f"{file.stem}-{number}", data[start:end]


def candidates(package: Path, pattern: str) -> list[tuple[str, bytes | Path]]:
    found: list[tuple[str, bytes | Path]] = []
    for file in sorted(package.rglob("*")):
        if not file.is_file() or file.is_symlink() or not re.search(pattern, str(file.relative_to(package))):
            continue
        if file.suffix == ".rcc":
            found += packed_pictures(file)
        elif file.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp") and not WRITING.search(file.name):
            found.append((re.sub(r"\W+", "-", str(file.relative_to(package))[-60:]), file))
    return found


def save_small(source: bytes | Path, target: Path) -> bool:
    """False for what is no picture, too small, or too long."""
    try:
        with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as picture:
            picture.load()
            clear = picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info
            picture = picture.convert("RGBA" if clear else "RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError, Image.DecompressionBombError):
        return False
    width, height = picture.size
    if min(width, height) < SHORTEST or max(width, height) > 5 * min(width, height):
        return False
    picture.thumbnail((LONGEST, LONGEST))
    if clear and picture.getchannel("A").getextrema()[0] < 250:
        # What has holes cannot fill a frame.
        folder = "cutout" if target.parent.name == "photo" else target.parent.name
        picture.save((target.parent.parent / folder / target.name).with_suffix(".png"))
    else:
        picture.convert("RGB").save(target.with_suffix(".jpg"), quality=92)
    return True


def main(packages: Path, pools: Path) -> None:
    (pools / "cutout").mkdir(parents=True, exist_ok=True)
    for package, pattern, pool, most in RULES:
        folder = pools / pool
        folder.mkdir(parents=True, exist_ok=True)
        found = candidates(packages / package, pattern)
        step = max(1.0, len(found) / (most * 1.5))
        taken = 0
        for i in range(len(found)):
            if taken < most and int(i / step) != int((i - 1) / step):
                name, source = found[i]
                taken += save_small(source, folder / f"{package}-{name}")
        print(f"{package} {pool}: {taken} of {len(found)}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
