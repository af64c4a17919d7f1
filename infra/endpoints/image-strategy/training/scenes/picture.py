"""Images of the class `picture`: nothing, or nothing that matters, can be read. Each function draws one kind."""

from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .ground import any_gradient, noise, plain
from .material import Material
from .mixed import plot
from .text import frame, sheet


def photo(material: Material) -> Image.Image:
    """Now and then with a small mark in a corner, which does not make it worth reading."""
    pick = material.random
    image = material.photo(*frame(material), "photo photo photo photo cutout")
    if pick.random() < 0.12:
        size = max(8, min(image.size) * pick.uniform(0.018, 0.03))
        spot = (image.width * pick.choice((0.03, 0.7)), image.height * pick.choice((0.02, 0.94)))
        ink = pick.choice(((255, 255, 255), (255, 160, 0), (220, 220, 220)))
        mark = material.number() if pick.random() < 0.5 else material.words(4)
        ImageDraw.Draw(image).text(spot, mark, font=material.font(size, "sans"), fill=ink)
    return image


def photo_collage(material: Material) -> Image.Image:
    pick = material.random
    width, height = frame(material)
    image = Image.new("RGB", (width, height), material.light() if pick.random() < 0.6 else material.dark())
    columns = pick.randint(1, 3)
    lines = max(1, round(columns * height / width * pick.uniform(0.7, 1.3)))
    gap = pick.randint(0, 12)
    for number in range(columns * lines):
        x, y = number % columns * width / columns, number // columns * height / lines
        image.paste(material.photo(width / columns - gap, height / lines - gap, "photo photo cutout texture"), (round(x + gap / 2), round(y + gap / 2)))
    return image


def drawing(material: Material) -> Image.Image:
    pick = material.random
    width, height = frame(material)
    if pick.random() < 0.5:
        return material.photo(width, height, "drawing clipart clipart cutout")
    image = any_gradient(material, (width, height)) if pick.random() < 0.5 else Image.new("RGB", (width, height), material.light())
    for _ in range(pick.randint(1, 6)):
        picture = material.source(pick.choice(("clipart", "cutout", "drawing"))).copy()
        side = pick.uniform(0.25, 0.9) * min(width, height)
        picture.thumbnail((round(side), round(side)))
        spot = (pick.randint(-20, max(-19, width - picture.width)), pick.randint(-20, max(-19, height - picture.height)))
        image.paste(picture, spot, picture if picture.mode == "RGBA" else None)
    return image


def texture(material: Material) -> Image.Image:
    """Surfaces: repeated tiles of a source texture, close crops of photos; fine patterns that could look like lines."""
    pick = material.random
    width, height = frame(material)
    if pick.random() < 0.3:
        picture = material.photo(width * 3, height * 3, "photo")
        left, top = pick.randint(0, 2 * width), pick.randint(0, 2 * height)
        return picture.crop((left, top, left + width, top + height))
    tile = material.photo(*([pick.randint(90, 420)] * 2), "texture")
    if pick.random() < 0.4:
        return tile.resize((width, height))
    image = Image.new("RGB", (width, height))
    for x in range(0, width, tile.width):
        for y in range(0, height, tile.height):
            image.paste(tile, (x, y))
    return image


def made_texture(material: Material) -> Image.Image:
    """Noise, fibres, gravel, bricks, weave and stripes, made from numbers."""
    pick = material.random
    size = frame(material)
    kind = pick.choice(("clouds", "fibres", "grains", "bricks", "weave", "waves"))
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    if kind == "clouds":
        value = sum(noise(material, size, cells) / weight for cells, weight in ((3, 1), (7, 2), (17, 4), (40, 8)))
    elif kind == "fibres":
        long = Image.fromarray((noise(material, size, size[0] // 2) * 255).astype(np.uint8))
        rows = pick.random() < 0.5
        narrow = (size[0], max(2, size[1] // pick.randint(8, 60))) if rows else (max(2, size[0] // pick.randint(8, 60)), size[1])
        value = np.asarray(long.resize(narrow).resize(size, Image.Resampling.BICUBIC), float) / 255
    elif kind == "grains":
        value = noise(material, size, size[0] // pick.randint(2, 9))
        value = np.clip((value - 0.5) * pick.uniform(1, 5) + 0.5, 0, 1)
    elif kind == "bricks":
        wide, tall = pick.randint(24, 90), pick.randint(10, 40)
        shifted = x + (y // tall % 2) * wide // 2
        value = np.where((y % tall < 3) | (shifted % wide < 3), 0.2, 0.55 + 0.3 * noise(material, size, size[0] // wide + 2))
    else:
        period = pick.uniform(4, 30)
        warp = noise(material, size, pick.randint(2, 8)) * pick.uniform(0, 60)
        value = 0.5 + 0.5 * np.sin((x * pick.uniform(-1, 1) + y * pick.uniform(-1, 1) + warp) / period * 6.3)
        if kind == "weave":
            value = np.where((x // period + y // period) % 2 == 0, value, 1 - value)
    value = np.asarray(value, float)
    value = (value - value.min()) / max(1e-6, float(np.ptp(value)))
    first, last = np.array(material.between(0, 160), float), np.array(material.between(90, 255), float)
    grain = np.random.default_rng(pick.getrandbits(32)).normal(0, pick.uniform(0, 14), value.shape)
    return Image.fromarray(np.clip(first + value[..., None] * (last - first) + grain[..., None], 0, 255).astype(np.uint8))


def abstract(material: Material) -> Image.Image:
    """Gradients, plain colours and soft or hard shapes, as on wallpapers."""
    pick = material.random
    size = frame(material)
    image = any_gradient(material, size) if pick.random() < 0.8 else Image.new("RGB", size, material.between(0, 255))
    draw = ImageDraw.Draw(image)
    for _ in range(pick.choice((0, 0, 2, 5, 12, 30))):
        points = [(pick.uniform(-0.1, 1.1) * size[0], pick.uniform(-0.1, 1.1) * size[1]) for _ in range(pick.randint(3, 5))]
        hue = material.vivid() if pick.random() < 0.6 else material.between(0, 255)
        kind = pick.choice(("polygon", "ellipse", "line"))
        if kind == "polygon":
            draw.polygon(points, fill=hue)
        elif kind == "line":
            draw.line(points, fill=hue, width=pick.randint(1, 14))
        else:
            (x0, y0), (x1, y1) = points[:2]
            draw.ellipse((min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)), fill=hue)
    return image.filter(ImageFilter.GaussianBlur(pick.uniform(0, 12))) if pick.random() < 0.3 else image


def bare_chart(material: Material) -> Image.Image:
    """A chart, sketch or icon sheet without a word."""
    pick = material.random
    image, draw, _, ink = sheet(material, 0.3, plain)
    width, height = image.size
    if pick.random() < 0.6:
        plot(material, draw, (0.08 * width, 0.08 * height, 0.94 * width, 0.92 * height), 14, ink, labels=False)
        return image
    step = pick.randint(60, 130)
    for x in range(10, width - step // 2, step):
        for y in range(10, height - step // 2, step):
            icon = material.source(pick.choice(("clipart", "cutout"))).copy()
            icon.thumbnail((step - 14, step - 14))
            image.paste(icon, (x, y), icon if icon.mode == "RGBA" else None)
    return image


KINDS: dict[str, tuple[float, Callable[[Material], Image.Image]]] = {
    "photo": (7, photo), "photo-collage": (1.5, photo_collage), "drawing": (3.5, drawing), "texture": (3.5, texture),
    "made-texture": (2, made_texture), "abstract": (2.5, abstract), "bare-chart": (1.5, bare_chart),
}
