"""What every scene is made of: words, fonts, colours and source pictures, all chosen by one seeded generator."""

import random
import re
from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageEnhance, ImageFont, ImageStat

Colour = tuple[int, int, int]

CHINESE = (
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经三之进着等部度家电力里如水化高自"
    "二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变"
    "条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指"
    "几九区强放决西被干做必战先回则任取据处理世车价格优惠请您好谢谢哈呀吗呢吧订单退款发货快递客服商品明天早上晚安收到图片文件会议时间地址电话"
)
CHINESE_MARKS = "，。！？、：；…"
LICENCE = Path("/usr/share/common-licenses/GPL-3")
ENGLISH_FALLBACK = (
    "the order was sent on monday and should arrive before the end of this week please keep the receipt until you have "
    "checked every part thank you for waiting we will call back tomorrow about the price of the second item"
)

SANS_ZH = ("NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", "wqy-zenhei.ttc")
SERIF_ZH = ("NotoSerifCJK-Regular.ttc", "NotoSerifCJK-Bold.ttc", "uming.ttc", "ukai.ttc")
SANS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf", "Lato-Regular.ttf", "Lato-Bold.ttf")
SERIF = ("DejaVuSerif.ttf", "LiberationSerif-Regular.ttf", "LiberationSerif-Bold.ttf")
MONO = ("DejaVuSansMono.ttf", "LiberationMono-Regular.ttf", "Hack-Regular.ttf")
HEAVY = ("NotoSansCJK-Bold.ttc", "NotoSerifCJK-Bold.ttc", "wqy-zenhei.ttc")


class Material:
    """Everything random in a scene comes from here, so a seed gives the same image again."""

    def __init__(self, seed: str, packages: Path, pools: dict[str, list[Path]]):
        self.random = random.Random(seed)
        self.packages = packages
        self.pools = pools
        self.language = self.random.choices(("zh", "en", "both"), (5, 3, 2))[0]

    # Words

    def chinese(self, length: int) -> str:
        pick = self.random
        text = [pick.choice(CHINESE) for _ in range(max(1, length))]
        for at in range(pick.randint(4, 14), len(text), pick.randint(8, 18)):
            text[at] = pick.choice(CHINESE_MARKS)
        return "".join(text)

    def english(self, length: int) -> str:
        words = english_words()
        at = self.random.randrange(len(words) - 400)
        text = ""
        for word in words[at : at + 400]:
            text = f"{text} {word}".strip()
            if len(text) >= length:
                break
        return text

    def words(self, length: int) -> str:
        """About `length` Chinese characters or as much English as takes the same room."""
        language = self.language
        if language == "both":
            half = max(1, length // 2)
            return f"{self.chinese(half)} {self.english(half)}"
        return self.chinese(length) if language == "zh" else self.english(length * 2)

    def number(self) -> str:
        pick = self.random
        return pick.choice((
            f"{pick.uniform(1, 9999):.2f}", f"¥{pick.uniform(1, 999):.2f}", f"{pick.randint(1, 99999)}",
            f"{pick.randint(1, 99)}%", f"2026-{pick.randint(1, 12):02}-{pick.randint(1, 28):02}",
            f"{pick.randint(0, 23)}:{pick.randint(0, 59):02}", f"-{pick.randint(1, 500)}", f"$ {pick.randint(1, 5000):,}",
        ))

    # Fonts

    def font_name(self, kinds: str = "sans serif") -> str:
        names: list[str] = []
        chinese = self.language != "en"
        for kind in kinds.split():
            if kind == "mono":
                names += MONO
            elif kind == "heavy":
                names += HEAVY
            elif kind == "sans":
                names += SANS_ZH if chinese else SANS + SANS_ZH[:1]
            else:
                names += SERIF_ZH if chinese else SERIF + SERIF_ZH[:1]
        return self.random.choice(names)

    def font(self, size: float, kinds: str = "sans serif") -> ImageFont.FreeTypeFont:
        return open_font(self.packages, self.font_name(kinds), max(6, round(size)))

    # Colours

    def light(self) -> Colour:
        if self.random.random() < 0.35:
            return (255, 255, 255)
        low = self.random.choice((190, 225, 240))
        return self.between(low, 255)

    def dark(self) -> Colour:
        return self.between(0, self.random.choice((15, 40, 80)))

    def vivid(self) -> Colour:
        values = [self.random.randint(0, 90), self.random.randint(60, 200), self.random.randint(150, 255)]
        self.random.shuffle(values)
        return (values[0], values[1], values[2])

    def between(self, low: int, high: int) -> Colour:
        pick = self.random.randint
        return (pick(low, high), pick(low, high), pick(low, high))

    def paper_and_ink(self, dark_share: float = 0.3) -> tuple[Colour, Colour]:
        if self.random.random() < dark_share:
            return self.dark(), self.between(180, 255)
        return self.light(), self.between(0, self.random.choice((20, 90)))

    # Source pictures

    def source(self, pool: str) -> Image.Image:
        return load_picture(self.random.choice(self.pools[pool]))

    def photo(self, width: float, height: float, pools: str = "photo") -> Image.Image:
        """A crop of a source picture in exactly this size, with chance changes of light and colour."""
        pick = self.random
        size = (max(1, round(width)), max(1, round(height)))
        picture = self.crop(on_ground(self.source(pick.choice(pools.split())), self), size)
        for _ in range(4):
            if ImageStat.Stat(picture.resize((24, 24)).convert("L")).stddev[0] > 9:
                break
            # The empty side of a cut-out is no picture.
            picture = self.crop(on_ground(self.source(pick.choice(pools.split())), self), size)
        if pick.random() < 0.5:
            picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
        if pick.random() < 0.4:
            picture = ImageEnhance.Brightness(picture).enhance(pick.uniform(0.55, 1.35))
        if pick.random() < 0.4:
            picture = ImageEnhance.Color(picture).enhance(pick.choice((0, 0.4, 0.7, 1.5)))
        return picture

    def crop(self, picture: Image.Image, size: tuple[int, int]) -> Image.Image:
        pick = self.random
        keep = pick.uniform(0.6, 1)
        crop_width, crop_height = picture.width * keep, picture.height * keep
        aspect = size[0] / size[1]
        crop_width, crop_height = min(crop_width, crop_height * aspect), min(crop_height, crop_width / aspect)
        left = pick.uniform(0, picture.width - crop_width)
        top = pick.uniform(0, picture.height - crop_height)
        return picture.resize(size, Image.Resampling.BILINEAR, (left, top, left + crop_width, top + crop_height))


def on_ground(picture: Image.Image, material: Material) -> Image.Image:
    """A picture with transparent parts lies on a plain ground, often white, as in shops and in clip-art."""
    if picture.mode != "RGBA":
        return picture
    ground = (255, 255, 255) if material.random.random() < 0.5 else material.light()
    sheet = Image.new("RGB", picture.size, ground)
    sheet.paste(picture, (0, 0), picture)
    return sheet


@lru_cache(maxsize=600)
def load_picture(path: Path) -> Image.Image:
    with Image.open(path) as picture:
        return picture.convert("RGBA" if path.suffix == ".png" else "RGB")


@lru_cache(maxsize=1)
def font_files(packages: Path) -> dict[str, Path]:
    return {file.name: file for file in sorted(packages.glob("fonts-*/usr/share/fonts/**/*.tt[cf]"))}


@lru_cache(maxsize=400)
def open_font(packages: Path, name: str, size: int) -> ImageFont.FreeTypeFont:
    # In Noto's collections the third face is Simplified Chinese.
    return ImageFont.truetype(font_files(packages)[name], size, index=2 if name.startswith("Noto") else 0)


@lru_cache(maxsize=1)
def english_words() -> list[str]:
    text = LICENCE.read_text() if LICENCE.exists() else f"{ENGLISH_FALLBACK} " * 30
    return re.sub(r"\s+", " ", text).split()


def wrap(text: str, font: ImageFont.FreeTypeFont, width: float) -> list[str]:
    """Lines no wider than `width`; English breaks at spaces, Chinese anywhere."""
    lines: list[str] = []
    line = ""
    for piece in re.findall(r"[\x21-\x7e]+ ?| |.", text):
        if line and font.getlength(line + piece) > width:
            lines.append(line)
            line = piece.lstrip()
        else:
            line += piece
    return [*lines, line] if line else lines


def paragraph(
    draw: ImageDraw.ImageDraw, material: Material, box: tuple[float, float, float, float], size: float, ink: Colour,
    kinds: str = "sans serif", align: str = "left", length: int | None = None,
) -> float:
    """Fills the box (left, top, right, bottom) with text, or writes one text of `length`; gives the y where it ended."""
    left, top, right, bottom = box
    font = material.font(size, kinds)
    step = size * material.random.uniform(1.25, 1.7)
    y = top
    while y + size < bottom:
        for line in wrap(material.words(length or material.random.randint(20, 90)), font, right - left):
            if y + size > bottom:
                break
            gap = right - left - font.getlength(line)
            draw.text((left + {"left": 0, "center": gap / 2, "right": gap}[align], y), line, font=font, fill=ink)
            y += step
        if length is not None:
            break
        y += material.random.choice((0, 0.4, 0.9)) * size
    return y
