"""Plain and patterned grounds that carry no content: gradients, stripes, dots, paper; used by all scenes."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .material import Colour, Material


def gradient(size: tuple[int, int], first: Colour, last: Colour, direction: tuple[float, float]) -> Image.Image:
    width, height = size
    x = np.linspace(0, 1, width)[None, :] * direction[0]
    y = np.linspace(0, 1, height)[:, None] * direction[1]
    share = x + y
    share = (share - share.min()) / max(1e-6, float(np.ptp(share)))
    rgb = np.array(first) + share[..., None] * (np.array(last, float) - np.array(first))
    return Image.fromarray(rgb.astype(np.uint8))


def any_gradient(material: Material, size: tuple[int, int], colours: tuple[Colour, Colour] | None = None) -> Image.Image:
    pick = material.random
    first, last = colours or (material.vivid(), material.vivid())
    if pick.random() < 0.25:
        width, height = size
        x = np.linspace(-1, 1, width)[None, :] - pick.uniform(-0.6, 0.6)
        y = np.linspace(-1, 1, height)[:, None] - pick.uniform(-0.6, 0.6)
        share = np.clip(np.hypot(x, y) / 1.4, 0, 1)[..., None]
        return Image.fromarray((np.array(first) * (1 - share) + np.array(last) * share).astype(np.uint8))
    return gradient(size, first, last, (pick.uniform(-1, 1), pick.choice((-1, 1)) * pick.uniform(0.3, 1)))


def quiet_pattern(material: Material, size: tuple[int, int], base: Colour) -> Image.Image:
    """A faint wallpaper, as behind chats and slides: dots, stripes, or rings a shade off the base colour."""
    pick = material.random
    image = Image.new("RGB", size, base)
    draw = ImageDraw.Draw(image)
    shade = pick.choice((-1, 1)) * pick.randint(5, 16)
    other = tuple(min(255, max(0, value + shade)) for value in base)
    step = pick.randint(14, 60)
    kind = pick.choice(("dots", "stripes", "rings", "grid"))
    for x in range(0, size[0] + size[1], step):
        if kind == "stripes":
            draw.line((x, 0, x - size[1], size[1]), fill=other, width=pick.randint(1, 6))
        elif kind == "grid":
            draw.line((x, 0, x, size[1]), fill=other)
            draw.line((0, x, size[0], x), fill=other)
        else:
            for y in range(0, size[1], step):
                radius = step * (0.12 if kind == "dots" else 0.35)
                draw.ellipse(
                    (x - radius, y - radius, x + radius, y + radius),
                    fill=other if kind == "dots" else None, outline=other,
                )
    return image


def plain(_: Material, size: tuple[int, int], paper: Colour) -> Image.Image:
    return Image.new("RGB", size, paper)


def plain_or_gradient(material: Material, size: tuple[int, int], paper: Colour) -> Image.Image:
    """The ground under text: mostly one colour, sometimes a soft gradient or a faint pattern."""
    chance = material.random.random()
    if chance < 0.6:
        return plain(material, size, paper)
    if chance < 0.8:
        near = tuple(min(255, max(0, value + material.random.randint(-40, 40))) for value in paper)
        return any_gradient(material, size, (paper, near))
    return quiet_pattern(material, size, paper)


def noise(material: Material, size: tuple[int, int], cells: int) -> np.ndarray:
    """Smooth noise from 0 to 1 with about `cells` blobs across."""
    generator = np.random.default_rng(material.random.getrandbits(32))
    aspect = size[1] / size[0]
    small = generator.integers(0, 256, (max(2, round(cells * aspect)), max(2, cells)), dtype=np.uint8)
    return np.asarray(Image.fromarray(small).resize(size, Image.Resampling.BICUBIC), float) / 255


def scanned(material: Material, image: Image.Image) -> Image.Image:
    """As if photographed or scanned: uneven light, grain, a small turn, a little blur."""
    pick = material.random
    light = 1 - pick.uniform(0.1, 0.45) * noise(material, image.size, 3)
    generator = np.random.default_rng(pick.getrandbits(32))
    grain = generator.normal(0, pick.uniform(0, 7), (image.height, image.width, 1))
    tint = np.array((1, pick.uniform(0.93, 1), pick.uniform(0.8, 1)))
    image = Image.fromarray(np.clip(np.asarray(image) * light[..., None] * tint + grain, 0, 255).astype(np.uint8))
    if pick.random() < 0.6:
        edge = image.getpixel((0, 0))
        image = image.rotate(pick.uniform(-4, 4), Image.Resampling.BILINEAR, fillcolor=edge)
    return image.filter(ImageFilter.GaussianBlur(pick.uniform(0, 1))) if pick.random() < 0.5 else image
