"""Chat screenshots in several app styles; without photos they are `text`, with photos sent in the chat `mixed`."""

from PIL import Image, ImageDraw

from .ground import plain_or_gradient
from .material import Colour, Material, wrap

# Ground, bubble of the other, bubble of one's own, bar; light and dark. None: no bubble.
STYLES: list[tuple[Colour, Colour | None, Colour | None, Colour]] = [
    ((237, 237, 237), (255, 255, 255), (149, 236, 105), (237, 237, 237)),
    ((17, 17, 17), (44, 44, 44), (61, 177, 102), (25, 25, 25)),
    ((255, 255, 255), (233, 233, 235), (10, 124, 255), (248, 248, 248)),
    ((0, 0, 0), (38, 38, 41), (10, 124, 255), (20, 20, 20)),
    ((228, 221, 214), (255, 255, 255), (217, 253, 211), (0, 128, 105)),
    ((14, 22, 33), (24, 37, 51), (43, 82, 120), (23, 33, 43)),
    ((255, 255, 255), None, None, (255, 255, 255)),
    ((49, 51, 56), None, None, (43, 45, 49)),
    ((245, 246, 247), (255, 255, 255), (209, 227, 255), (255, 255, 255)),
]


def reads_on(ground: Colour) -> Colour:
    return (15, 15, 15) if sum(ground) > 390 else (240, 240, 240)


def chat(material: Material, photos: int = 0) -> Image.Image:
    """A screen of messages; `photos` large pictures are among them."""
    pick = material.random
    wide = pick.random() < 0.15
    width = pick.randint(560, 1000) if wide else pick.randint(330, 460)
    height = pick.randint(420, 700) if wide else round(width * pick.uniform(1.1, 2.25))
    if photos > 0:
        # Rather long, so that the text keeps its room.
        height = max(height, round(width * 1.3))
    ground, theirs, own, bar = pick.choice(STYLES)
    if pick.random() < 0.35:
        own, theirs = material.vivid(), material.light() if sum(ground) > 390 else material.dark()
    image = plain_or_gradient(material, (width, height), ground)
    draw = ImageDraw.Draw(image)
    size = pick.uniform(12.5, 19)
    font = material.font(size, "sans")
    avatar = pick.choice((0, 28, 36, 44))
    y: float = pick.choice((8, 10, -40, -90))
    if pick.random() < 0.75:
        draw.rectangle((0, 0, width, 3 * size), fill=bar)
        title = material.words(pick.randint(2, 7))
        middle = (width - font.getlength(title)) / 2
        draw.text((middle if pick.random() < 0.6 else 40, size), title, font=font, fill=reads_on(bar))
        y = 3.4 * size
    turns_with_photo = set(pick.sample(range(4), photos)) if photos else set()
    foot = height - (3 * size if pick.random() < 0.6 else 0)
    turn = 0
    while y < foot - size:
        mine = pick.random() < 0.5 and (theirs is not None)
        edge = 10 + (avatar + 8 if avatar else 0)
        if pick.random() < 0.12:
            stamp = material.number()
            small = material.font(size * 0.75, "sans")
            draw.text(((width - small.getlength(stamp)) / 2, y), stamp, font=small, fill=(140, 140, 140))
            y += 1.8 * size
        if avatar:
            face(material, image, (width - 10 - avatar if mine else 10, y), avatar)
        if theirs is None or pick.random() < 0.15:
            name = material.font(size * 0.8, "sans")
            draw.text((edge, y), material.words(pick.randint(2, 5)), font=name, fill=material.between(90, 170))
            y += 1.2 * size
        if turn in turns_with_photo:
            part = pick.uniform(0.4, 0.68)
            photo_height = width * part * pick.uniform(0.6, 1.25)
            photo = material.photo(width * part, photo_height, "photo photo cutout drawing")
            image.paste(photo, (round(width - edge - photo.width if mine else edge), round(y)))
            y += photo_height + pick.uniform(8, 20)
        else:
            y = bubble(material, draw, (width, edge, y), font, size, own if mine else theirs, mine, ground)
        turn += 1
    if foot < height:
        draw.rectangle((0, foot, width, height), fill=bar)
        draw.rounded_rectangle(
            (40, foot + 0.5 * size, width - 60, height - 0.5 * size), 8,
            fill=tuple((value + 20) % 256 if value < 235 else value - 12 for value in bar),
        )
    return image


def bubble(material, draw, where, font, size, fill, mine, ground) -> float:
    width, edge, y = where
    pick = material.random
    lines = wrap(material.words(pick.choice((2, 5, 9, 16, 30, 60))), font, width - 2 * edge - 0.12 * width - 20)
    room = max(font.getlength(line) for line in lines) + 22
    tall = len(lines) * size * 1.4 + 16
    left = width - edge - room if mine else edge
    if fill is not None:
        draw.rounded_rectangle((left, y, left + room, y + tall), pick.choice((4, 8, 16)), fill=fill)
    ink = reads_on(fill or ground)
    for number, line in enumerate(lines):
        draw.text((left + 11, y + 8 + number * size * 1.4), line, font=font, fill=ink)
    return y + tall + pick.uniform(6, 22)


def face(material: Material, image: Image.Image, where: tuple[float, float], side: int) -> None:
    """An avatar: a small photo or a coloured shape, square or round."""
    pick = material.random
    spot = (round(where[0]), round(where[1]))
    if pick.random() < 0.6:
        picture = material.photo(side, side, "photo cutout drawing clipart")
    else:
        picture = Image.new("RGB", (side, side), material.vivid())
    mask = Image.new("L", (side, side), 0)
    shape = ImageDraw.Draw(mask)
    radius = side // 2 if pick.random() < 0.5 else pick.choice((1, 5))
    shape.rounded_rectangle((0, 0, side - 1, side - 1), radius, fill=255)
    image.paste(picture, spot, mask)
