/** The wording of captions in Chinese and English; used by caption.ts. */
import type { CaptionLanguage } from "@touchstone/core/domain/describe/caption-prompt";
import type { Side } from "./chat-layout.ts";
import type { ColourName } from "./named-colours.ts";

export type Orientation = "portrait" | "landscape" | "square";
export type Brightness = "dark" | "medium" | "bright";

export interface CaptionWords {
  readonly colours: Readonly<Record<ColourName, string>>;
  readonly sides: Readonly<Record<Side, string>>;
  readonly speaker: (name: string) => string;
  readonly orientations: Readonly<Record<Orientation, string>>;
  readonly brightness: Readonly<Record<Brightness, string>>;
  readonly image: (n: number) => string;
  readonly noText: string;
  readonly chat: (messages: number) => string;
  readonly page: (lines: number) => string;
  /** Put before lines that are much larger than the rest. */
  readonly large: string;
  readonly frame: (orientation: string, width: number, height: number) => string;
  readonly look: (colours: string, brightness: string) => string;
  /** Top, middle and bottom third. */
  readonly bands: readonly [string, string, string];
  readonly bandColour: (band: string, colour: string) => string;
  readonly bandColours: (named: string) => string;
  readonly textIn: (band: string, lines: number) => string;
  readonly textPlaces: (named: string) => string;
  readonly listSeparator: string;
  readonly found: (lines: number, coverage: string, samples: string, more: boolean) => string;
  readonly notIdentified: string;
}

export const captionWords: Readonly<Record<CaptionLanguage, CaptionWords>> = {
  zh: {
    colours: {
      black: "黑色",
      "dark grey": "深灰",
      grey: "灰色",
      "light grey": "浅灰",
      white: "白色",
      red: "红色",
      orange: "橙色",
      brown: "棕色",
      yellow: "黄色",
      green: "绿色",
      cyan: "青色",
      blue: "蓝色",
      purple: "紫色",
      pink: "粉色",
    },
    sides: { left: "【左】", right: "【右】", centre: "【中】" },
    speaker: (name) => `${name}：`,
    orientations: { portrait: "竖图", landscape: "横图", square: "方图" },
    brightness: { dark: "偏暗", medium: "中等亮度", bright: "偏亮" },
    image: (n) => `图${n}：`,
    noText: "未发现文字。",
    chat: (messages) => `聊天截图式布局，按阅读顺序共 ${messages} 段文字，标明所在一侧：`,
    page: (lines) => `按阅读顺序共 ${lines} 行文字：`,
    large: "【大字】",
    frame: (orientation, width, height) => `${orientation}，${width}×${height} 像素。`,
    look: (colours, brightness) => `主要颜色：${colours}；整体${brightness}。`,
    bands: ["上部", "中部", "下部"],
    bandColour: (band, colour) => band + colour,
    bandColours: (named) => `由上到下：${named}为主。`,
    textIn: (band, lines) => `${band} ${lines} 行`,
    textPlaces: (named) => `文字位置：${named}。`,
    listSeparator: "、",
    found: (lines, coverage, samples, more) =>
      `图中有 ${lines} 行文字，约占画面 ${coverage}：${samples}${more ? " 等" : ""}。`,
    notIdentified: "未识别物体、人物和场景：本模型只做文字识别和像素统计。",
  },
  en: {
    colours: {
      black: "black",
      "dark grey": "dark grey",
      grey: "grey",
      "light grey": "light grey",
      white: "white",
      red: "red",
      orange: "orange",
      brown: "brown",
      yellow: "yellow",
      green: "green",
      cyan: "cyan",
      blue: "blue",
      purple: "purple",
      pink: "pink",
    },
    sides: { left: "[left] ", right: "[right] ", centre: "[centre] " },
    speaker: (name) => `${name}: `,
    orientations: { portrait: "Portrait", landscape: "Landscape", square: "Square" },
    brightness: { dark: "dark", medium: "of medium brightness", bright: "bright" },
    image: (n) => `Image ${n}:`,
    noText: "No text was found.",
    chat: (messages) => `Laid out like a chat, ${messages} text blocks in reading order, each with its side:`,
    page: (lines) => `${lines} line(s) of text in reading order:`,
    large: "[large] ",
    frame: (orientation, width, height) => `${orientation}, ${width}×${height} pixels.`,
    look: (colours, brightness) => `Main colours: ${colours}; ${brightness} overall.`,
    bands: ["top", "middle", "bottom"],
    bandColour: (band, colour) => `${colour} (${band})`,
    bandColours: (named) => `Leading colours from top to bottom: ${named}.`,
    textIn: (band, lines) => `${lines} line(s) in the ${band} third`,
    textPlaces: (named) => `Text stands as follows: ${named}.`,
    listSeparator: ", ",
    found: (lines, coverage, samples, more) =>
      `${lines} line(s) of text on about ${coverage} of the area: ${samples}${more ? " and more" : ""}.`,
    notIdentified:
      "Objects, people and scenes were not identified: this model only reads text and counts pixels.",
  },
};
