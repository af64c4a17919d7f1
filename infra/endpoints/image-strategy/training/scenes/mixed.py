"""Images of the class `mixed`: both the writing and the picture matter. Each function draws one kind."""

import math
from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFilter

from .chat import chat, reads_on
from .ground import any_gradient, plain, plain_or_gradient
from .material import Material, paragraph, wrap
from .text import frame, sheet

PHOTOS = "photo photo photo photo cutout drawing clipart texture"


def poster(material: Material) -> Image.Image:
    """Large words over a photo, as on posters, memes, covers and story cards."""
    pick = material.random
    width, height = frame(material)
    image = material.photo(width, height, "photo photo photo cutout drawing")
    if pick.random() < 0.3:
        image = Image.blend(image, Image.new("RGB", image.size, pick.choice(((0, 0, 0), (255, 255, 255)))), pick.uniform(0.1, 0.5))
    if pick.random() < 0.12:
        image = image.filter(ImageFilter.GaussianBlur(pick.uniform(1, 4)))
    draw = ImageDraw.Draw(image)
    short = min(width, height)
    spots = pick.sample((0.04, 0.3, 0.55, 0.76), pick.randint(1, 3))
    for top in sorted(spots):
        size = short * pick.uniform(0.055, 0.15)
        font = material.font(size, "heavy sans")
        ink = pick.choice(((255, 255, 255), (255, 255, 255), (255, 225, 60), (15, 15, 15), material.vivid()))
        lines = wrap(material.words(pick.randint(3, 16)), font, width * 0.9)[:3]
        if pick.random() < 0.3:
            box = (0, height * top - 6, width, height * top + len(lines) * size * 1.3 + 8)
            draw.rectangle(box, fill=material.vivid())
        stroke = pick.choice((0, 0, 1, 2, 3))
        if stroke == 0 and pick.random() < 0.8:
            spot = image.resize((1, 8)).getpixel((0, min(7, int(top * 8 + 0.5))))
            ink = (255, 255, 255) if sum(spot) < 420 else pick.choice(((15, 15, 15), (170, 0, 20), (10, 30, 120)))
        align = pick.random() < 0.6
        for number, line in enumerate(lines):
            x = (width - font.getlength(line)) / 2 if align else width * 0.06
            draw.text((x, height * top + number * size * 1.3), line, font=font, fill=ink, stroke_width=stroke,
                      stroke_fill=reads_on(ink))
    if pick.random() < 0.4:
        paragraph(draw, material, (width * 0.07, height * 0.85, width * 0.93, height * 0.99), short * 0.033, (255, 255, 255), "sans")
    return image


def article(material: Material) -> Image.Image:
    """News page, product page, card: a photo part and a text part."""
    pick = material.random
    image, draw, _, ink = sheet(material, 0.25)
    width, height = image.size
    size = min(width, height) * pick.uniform(0.022, 0.06)
    share = pick.uniform(0.25, 0.7)
    margin = pick.choice((0, 0, 0.04)) * width
    if width > height and pick.random() < 0.75:
        left = pick.random() < 0.5
        room = width * share
        image.paste(material.photo(room - 2 * margin, height - 2 * margin, PHOTOS), (round(margin if left else width - room + margin), round(margin)))
        x = room + 14 if left else 14
        box = (x, 14, x + width - room - 28, height - 10)
    else:
        room = height * share
        top = pick.choice((0.0, 0.0, 0.12, 1 - share)) * height
        image.paste(material.photo(width - 2 * margin, room - 2 * margin, PHOTOS), (round(margin), round(top + margin)))
        if 0 < top < 0.2 * height:
            paragraph(draw, material, (14, 8, width - 14, top), size * 1.3, ink, "heavy", "left", 14)
        box = (14, 10, width - 14, top - 6) if top > 0.2 * height else (14, top + room + 10, width - 14, height - 8)
    y = paragraph(draw, material, (box[0], box[1], box[2], box[3]), size * pick.uniform(1.2, 1.9), ink, "heavy sans", "left", pick.randint(4, 20))
    if pick.random() < 0.3:
        draw.text((box[0], y), material.number(), font=material.font(size * 1.6, "sans"), fill=(220, 40, 30))
        y += 2.4 * size
    paragraph(draw, material, (box[0], y + size * 0.4, box[2], box[3]), size, ink)
    return image


def grid(material: Material) -> Image.Image:
    """Shops and galleries: cells of a photo with a caption; video lists: a photo beside its title."""
    pick = material.random
    image, draw, _, ink = sheet(material, 0.25, plain)
    width, height = image.size
    columns = max(1, min(5, round(width / pick.uniform(130, 260))))
    gap = pick.randint(2, 14)
    cell = (width - gap) / columns
    size = max(9, cell * pick.uniform(0.06, 0.1))
    font = material.font(size, "sans")
    y = float(pick.choice((gap, gap, 40)))
    if y == 40:
        draw.text((10, 10), material.words(7), font=material.font(18, "sans"), fill=ink)
    aside = columns == 1
    tall = cell * (pick.uniform(0.25, 0.4) if aside else pick.uniform(0.7, 1.2))
    lines = pick.randint(1, 3)
    while y < height:
        for column in range(columns):
            x = gap + column * cell
            wide = (cell - gap) * (pick.uniform(0.35, 0.45) if aside else 1)
            image.paste(material.photo(wide, tall, PHOTOS), (round(x), round(y)))
            at = (x + wide + 8, y + 4) if aside else (x + 2, y + tall + 4)
            room = cell - gap - wide - 12 if aside else wide - 4
            for number, line in enumerate(wrap(material.words(pick.randint(6, 26)), font, room)[: lines + aside]):
                draw.text((at[0], at[1] + number * size * 1.35), line, font=font, fill=ink)
        y += tall + gap + (0 if aside else lines * size * 1.35 + 8)
    return image


def chart(material: Material) -> Image.Image:
    """A chart or diagram with title, axis labels and legend: infographics and report pages."""
    pick = material.random
    image, draw, _, ink = sheet(material, 0.3)
    width, height = image.size
    size = min(width, height) * pick.uniform(0.028, 0.05)
    top = paragraph(draw, material, (12, 10, width - 12, height * 0.3), size * 1.5, ink, "heavy sans", "left", pick.randint(5, 14)) + size
    bottom = height * pick.uniform(0.6, 0.9)
    if pick.random() < 0.6:
        plot(material, draw, (0.12 * width, top, 0.92 * width, max(top + 60, bottom - 2 * size)), size, ink)
    else:
        boxes_and_arrows(material, draw, (0.05 * width, top, 0.95 * width, max(top + 60, bottom)), size, ink)
    if bottom < 0.8 * height:
        paragraph(draw, material, (12, bottom + size, width - 12, height - 8), size, ink)
    return image


def plot(material: Material, draw: ImageDraw.ImageDraw, box, size: float, ink, labels: bool = True) -> None:
    """Bars, lines or a pie in the box; with `labels` also numbers, names and a legend."""
    pick = material.random
    left, top, right, bottom = box
    font = material.font(size * 0.8, "sans")
    kind = pick.choice(("bars", "bars", "lines", "pie", "dots"))
    count = pick.randint(3, 12)
    hues = [material.vivid() for _ in range(5)]
    if kind == "pie":
        middle, radius = ((left + right) / 2, (top + bottom) / 2), min(right - left, bottom - top) / 2.4
        turn = 0.0
        for number in range(count):
            sweep = 360 / count * pick.uniform(0.5, 1.1) if number < count - 1 else 360 - turn
            draw.pieslice((middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius), turn, turn + sweep, fill=material.vivid())
            turn = min(359.0, turn + sweep)
            if labels:
                angle = math.radians(turn - sweep / 2)
                draw.text((middle[0] + 1.1 * radius * math.cos(angle), middle[1] + 1.1 * radius * math.sin(angle)), material.words(3), font=font, fill=ink)
        return
    draw.line((left, top, left, bottom), fill=ink)
    draw.line((left, bottom, right, bottom), fill=ink)
    step = (right - left) / count
    heights = [pick.uniform(0.08, 0.95) * (bottom - top) for _ in range(count)]
    if pick.random() < 0.5:
        for number in range(1, 6):
            y = bottom - number * (bottom - top) / 6
            draw.line((left, y, right, y), fill=(160, 160, 160))
    series = pick.randint(1, 3)
    for row in range(series):
        points = [(left + (number + 0.5) * step, bottom - tall * pick.uniform(0.6, 1)) for number, tall in enumerate(heights)]
        if kind == "bars":
            for x, y in points:
                x += (row - series / 2) * step * 0.8 / series
                draw.rectangle((x, y, x + step * 0.7 / series, bottom), fill=hues[row])
        elif kind == "lines":
            draw.line(points, fill=hues[row], width=pick.randint(2, 4))
        else:
            for x, y in points * 3:
                x, y = x + pick.gauss(0, step / 2), min(bottom, y + pick.gauss(0, 20))
                draw.ellipse((x - 3, y - 3, x + 3, y + 3), fill=hues[row])
        if labels:
            draw.text((right - 6 * size, top + row * size * 1.2), material.words(4), font=font, fill=hues[row])
    if labels:
        for number in range(count):
            draw.text((left + number * step + 2, bottom + 4), material.number()[:5] if pick.random() < 0.5 else material.words(2), font=font, fill=ink)
        for number in range(6):
            draw.text((max(0, left - 3 * size), bottom - number * (bottom - top) / 6 - size), str(number * pick.randint(1, 30)), font=font, fill=ink)


def boxes_and_arrows(material: Material, draw: ImageDraw.ImageDraw, box, size: float, ink) -> None:
    pick = material.random
    left, top, right, bottom = box
    columns, lines = pick.randint(2, 4), pick.randint(2, 4)
    wide, tall = (right - left) / columns, (bottom - top) / lines
    font = material.font(min(size, wide / 7), "sans")
    for number in range(columns * lines):
        x, y = left + (number % columns) * wide, top + (number // columns) * tall
        draw.line((x + wide / 2, y + tall / 2, x + wide, y + tall * pick.choice((0.5, 1))), fill=ink, width=2)
        shape = (x + 0.1 * wide, y + 0.15 * tall, x + 0.85 * wide, y + 0.8 * tall)
        fill = material.vivid() if pick.random() < 0.7 else material.light()
        if pick.random() < 0.5:
            draw.rounded_rectangle(shape, 8, fill=fill, outline=ink)
        else:
            draw.ellipse(shape, fill=fill, outline=ink)
        for row, line in enumerate(wrap(material.words(pick.randint(2, 8)), font, 0.6 * wide)[:3]):
            draw.text((x + 0.2 * wide, y + 0.35 * tall + row * font.size * 1.2), line, font=font, fill=reads_on(fill))


def photo_slide(material: Material) -> Image.Image:
    """A slide, comic or illustrated notice: drawings or photos set in a ground, with words around."""
    pick = material.random
    width, height = frame(material)
    paper, ink = material.paper_and_ink(0.3)
    image = any_gradient(material, (width, height)) if pick.random() < 0.35 else plain_or_gradient(material, (width, height), paper)
    ink = reads_on(image.getpixel((width // 2, height // 8)))
    draw = ImageDraw.Draw(image)
    size = min(width, height) * pick.uniform(0.035, 0.06)
    y = paragraph(draw, material, (width * 0.06, height * 0.05, width * 0.94, height * 0.4), size * 1.5, ink, "heavy", pick.choice(("left", "center")), pick.randint(4, 16))
    count = pick.choice((1, 1, 2, 3))
    tall = height * pick.uniform(0.28, 0.48)
    top = max(y + size, height * 0.2)
    for number in range(count):
        room = width * 0.9 / count
        picture = material.source(pick.choice(("cutout", "clipart", "photo", "photo", "drawing"))).copy()
        picture.thumbnail((max(8, round(room - 10)), max(8, round(tall))))
        spot = (round(width * 0.05 + number * room + (room - picture.width) / 2), round(top))
        image.paste(picture, spot, picture if picture.mode == "RGBA" else None)
        paragraph(draw, material, (width * 0.05 + number * room, top + tall + size * 0.3, width * 0.05 + (number + 1) * room - 8, height * 0.97), size * 0.8, ink, "sans", "left", pick.randint(6, 40))
    return image


def chat_with_photos(material: Material) -> Image.Image:
    return chat(material, material.random.choice((1, 1, 2)))


KINDS: dict[str, tuple[float, Callable[[Material], Image.Image]]] = {
    "poster": (5, poster), "article": (5, article), "grid": (3, grid), "chart": (3, chart),
    "photo-slide": (3, photo_slide), "chat-with-photos": (3.5, chat_with_photos),
}
