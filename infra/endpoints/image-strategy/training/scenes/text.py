"""Images of the class `text`: all that matters can be read. Each function draws one kind."""

from collections.abc import Callable

from PIL import Image, ImageDraw

from .chat import chat, face
from .ground import any_gradient, plain, plain_or_gradient, scanned
from .material import Colour, Material, paragraph, wrap


def frame(material: Material) -> tuple[int, int]:
    """A common shape: phone, page, square, wide window, long strip."""
    pick = material.random
    width, aspect = pick.choice((
        (pick.randint(330, 460), pick.uniform(1.6, 2.25)), (pick.randint(420, 700), pick.uniform(1.2, 1.5)),
        (pick.randint(400, 600), pick.uniform(0.85, 1.15)), (pick.randint(560, 900), pick.uniform(0.5, 0.75)),
        (pick.randint(320, 420), pick.uniform(2.2, 3.3)), (pick.randint(600, 900), pick.uniform(0.33, 0.5)),
    ))
    return width, round(width * aspect)


def sheet(
    material: Material, dark_share: float, ground: Callable[[Material, tuple[int, int], Colour], Image.Image] = plain_or_gradient,
) -> tuple[Image.Image, ImageDraw.ImageDraw, Colour, Colour]:
    """A blank image of a common shape to draw on, with its colours: image, draw, paper, ink."""
    size = frame(material)
    paper, ink = material.paper_and_ink(dark_share)
    image = ground(material, size, paper)
    return image, ImageDraw.Draw(image), paper, ink


def document(material: Material) -> Image.Image:
    pick = material.random
    image, draw, _, ink = sheet(material, 0.2)
    width, height = image.size
    margin = pick.uniform(0.03, 0.13) * width
    size = pick.uniform(0.02, 0.045) * width + pick.uniform(2, 6)
    y = margin
    if pick.random() < 0.7:
        y = paragraph(draw, material, (margin, y, width - margin, height), size * pick.uniform(1.4, 2.4), ink,
                      "sans serif heavy", pick.choice(("left", "center")), pick.randint(4, 14)) + size
    columns = 2 if width > 550 and pick.random() < 0.4 else 1
    bottom = height - margin if pick.random() < 0.7 else pick.uniform(0.4, 1) * height
    room = (width - 2 * margin - (columns - 1) * 20) / columns
    for column in range(columns):
        left = margin + column * (room + 20)
        paragraph(draw, material, (left, y, left + room, bottom), size, ink)
    return scanned(material, image) if pick.random() < 0.3 else image


def code(material: Material) -> Image.Image:
    pick = material.random
    image, draw, _, ink = sheet(material, 0.65, plain)
    height = image.height
    size = pick.uniform(10, 19)
    font = material.font(size, "mono")
    hues = [ink, material.vivid(), material.vivid(), material.vivid()]
    numbered = pick.random() < 0.6
    indent = 0
    y = pick.uniform(4, 40)
    line = pick.randint(1, 400)
    while y < height - size:
        if numbered:
            draw.text((4, y), str(line), font=font, fill=(128, 128, 128))
        indent = max(0, min(5, indent + pick.choice((-1, 0, 0, 1))))
        x = (44 if numbered else 8) + indent * 2.2 * size
        for _ in range(pick.choice((0, 1, 2, 3, 5, 7))):
            word = pick.choice((material.english(4), "= {", "();", "return", "if (", "=>", '"' + material.words(3) + '"'))
            draw.text((x, y), word, font=font, fill=pick.choice(hues))
            x += font.getlength(word + " ")
        y += size * 1.45
        line += 1
    return image


def table(material: Material) -> Image.Image:
    pick = material.random
    image, draw, paper, ink = sheet(material, 0.25, plain)
    width, height = image.size
    size = pick.uniform(10, 18)
    font = material.font(size)
    row = size * pick.uniform(1.5, 3)
    columns = pick.randint(2, max(2, width // 90))
    rule = tuple((value + pick.choice((-1, 1)) * 60) % 256 for value in paper)
    head, stripes, grid = material.vivid(), pick.random() < 0.4, pick.random() < 0.6
    top = pick.choice((0.0, row, 2 * row))
    if top:
        draw.text((10, 6), material.words(8), font=material.font(size * 1.4, "heavy"), fill=ink)
    for number in range(int((height - top) / row) + 1):
        y = top + number * row
        if number == 0 and pick.random() < 0.6:
            draw.rectangle((0, y, width, y + row), fill=head)
        elif stripes and number % 2:
            draw.rectangle((0, y, width, y + row), fill=tuple(max(0, min(255, v + (-12 if v > 127 else 14))) for v in paper))
        if grid or pick.random() < 0.05:
            draw.line((0, y, width, y), fill=rule)
        for column in range(columns):
            if pick.random() < 0.9:
                label = material.number() if column and pick.random() < 0.6 else material.words(max(2, 14 // columns))
                draw.text((column * width / columns + 6, y + (row - size) / 2), label, font=font, fill=ink)
    if grid:
        for column in range(1, columns):
            draw.line((column * width / columns, top, column * width / columns, height), fill=rule)
    return scanned(material, image) if pick.random() < 0.15 else image


def receipt(material: Material) -> Image.Image:
    pick = material.random
    width = pick.randint(300, 460)
    height = round(width * pick.uniform(1.2, 3.2))
    image = Image.new("RGB", (width, height), pick.choice(((255, 255, 255), material.between(225, 250))))
    draw = ImageDraw.Draw(image)
    size = pick.uniform(11, 19)
    font = material.font(size, pick.choice(("mono sans", "sans")))
    y = size
    for part in range(40):
        if y > height - 2 * size:
            break
        if part == 0 or pick.random() < 0.08:
            y = paragraph(draw, material, (10, y, width - 10, height), size * 1.4, (20, 20, 20), "heavy", "center", 8)
        elif pick.random() < 0.12:
            draw.text((10, y), "-" * int((width - 20) / font.getlength("-")), font=font, fill=(60, 60, 60))
        else:
            draw.text((12, y), material.words(pick.randint(2, 7)), font=font, fill=(25, 25, 25))
            price = material.number()
            draw.text((width - 12 - font.getlength(price), y), price, font=font, fill=(25, 25, 25))
        y += size * 1.6
    if pick.random() < 0.4:
        x = 30.0
        while x < width - 30:
            bar = pick.uniform(1, 4)
            draw.rectangle((x, height - 2.6 * size, x + bar, height - size), fill=(10, 10, 10))
            x += bar + pick.uniform(1, 4)
    return scanned(material, image) if pick.random() < 0.5 else image


def few_words(material: Material) -> Image.Image:
    """A quotation, title slide, notice or one word on a plain, saturated or gradient ground."""
    pick = material.random
    width, height = frame(material)
    chance = pick.random()
    if chance < 0.5:
        image = any_gradient(material, (width, height))
        ink = pick.choice(((255, 255, 255), (255, 255, 255), (20, 20, 30), (255, 240, 190)))
    elif chance < 0.7:
        image = Image.new("RGB", (width, height), material.vivid())
        ink = pick.choice(((255, 255, 255), (10, 10, 10)))
    else:
        paper, ink = material.paper_and_ink(0.4)
        image = plain_or_gradient(material, (width, height), paper)
    draw = ImageDraw.Draw(image)
    if pick.random() < 0.3:
        inset = pick.uniform(0.02, 0.08) * width
        draw.rectangle((inset, inset, width - inset, height - inset), outline=ink, width=pick.randint(1, 5))
    size = min(width, height) * pick.uniform(0.05, 0.17)
    margin = width * pick.uniform(0.06, 0.16)
    align = pick.choice(("left", "center", "center"))
    y = height * pick.uniform(0.08, 0.4)
    y = paragraph(draw, material, (margin, y, width - margin, height * 0.9), size, ink,
                  pick.choice(("sans serif", "heavy")), align, pick.randint(3, 45))
    if pick.random() < 0.6:
        paragraph(draw, material, (margin, y + size * 0.6, width - margin, height * 0.96), size * pick.uniform(0.3, 0.6),
                  ink, "sans", align, pick.randint(5, 60))
    return image


def bullet_slide(material: Material) -> Image.Image:
    pick = material.random
    width = pick.randint(560, 900)
    height = round(width * pick.choice((0.5625, 0.75)))
    paper, ink = material.paper_and_ink(0.35)
    image = plain_or_gradient(material, (width, height), paper)
    draw = ImageDraw.Draw(image)
    accent = material.vivid()
    if pick.random() < 0.5:
        draw.rectangle((0, 0, width, height * 0.17), fill=accent)
    size = height * pick.uniform(0.04, 0.07)
    draw.text((width * 0.06, height * 0.05), material.words(10), font=material.font(size * 1.4, "heavy"), fill=ink)
    y = height * 0.24
    while y < height * 0.88:
        draw.ellipse((width * 0.06, y + size * 0.4, width * 0.06 + size * 0.3, y + size * 0.7), fill=accent)
        y = paragraph(draw, material, (width * 0.09, y, width * 0.94, height * 0.96), size, ink, "sans", "left",
                      pick.randint(6, 40)) + size * 0.5
    return image


def rows(material: Material) -> Image.Image:
    """Settings, mail lists, search results, forms, feeds with thumbnails no larger than icons."""
    pick = material.random
    image, draw, _, ink = sheet(material, 0.3, plain)
    width, height = image.size
    size = pick.uniform(12, 18)
    icon = pick.choice((0, 0, 18, 26, 40))
    boxes = pick.random() < 0.3
    y = pick.uniform(0, 20)
    while y < height:
        x = 14 + (icon + 10 if icon else 0)
        if icon:
            face(material, image, (12, y + 4), icon)
        if boxes:
            draw.rounded_rectangle((8, y, width - 8, y + 2.4 * size), 6, outline=(150, 150, 150))
        font = material.font(size, "sans")
        for line in wrap(material.words(pick.randint(3, 24)), font, width - x - 60)[: pick.randint(1, 3)]:
            draw.text((x, y + 0.6 * size), line, font=font, fill=ink)
            y += 1.35 * size
        if pick.random() < 0.5:
            draw.text((x, y + 0.5 * size), material.words(pick.randint(6, 18)), font=material.font(size * 0.8, "sans"),
                      fill=(140, 140, 140))
            y += size
        if pick.random() < 0.4:
            draw.rounded_rectangle((width - 52, y - 0.5 * size, width - 12, y + 0.6 * size), 9, fill=material.vivid())
        y += size * pick.uniform(1, 2)
        draw.line((0, y, width, y), fill=(128, 128, 128))
        y += 3
    return image


KINDS: dict[str, tuple[float, Callable[[Material], Image.Image]]] = {
    "chat": (5, chat), "document": (4, document), "code": (2, code), "table": (2, table), "receipt": (1.5, receipt),
    "few-words": (4, few_words), "bullet-slide": (1.5, bullet_slide), "rows": (2.5, rows),
}
