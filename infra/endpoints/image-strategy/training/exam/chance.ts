/** Seeded chance and the words of the exam's pages; the same seed gives the same exam. */

export interface Chance {
  /** From 0 up to 1. */
  share(): number;
  between(low: number, high: number): number;
  whole(low: number, high: number): number;
  pick<Item>(items: readonly Item[]): Item;
  some<Item>(items: readonly Item[], count: number): Item[];
}

/** Mulberry32 (Tommy Ettinger, public domain): 32 bits of state are plenty here. */
export function chanceFrom(seed: number): Chance {
  let state = seed >>> 0;
  const share = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const whole = (low: number, high: number) => low + Math.floor(share() * (high - low + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[whole(0, items.length - 1)];
    if (item === undefined) throw new Error("Nothing to pick from");
    return item;
  };
  return {
    share,
    whole,
    pick,
    between: (low, high) => low + share() * (high - low),
    some: (items, count) => Array.from({ length: count }, () => pick(items)),
  };
}

const chinese = [
  "请问这个订单什么时候可以发货",
  "我已经收到货了，颜色和图片不太一样",
  "好的，我帮您查一下物流",
  "明天上午十点在三楼会议室开会",
  "麻烦把合同的最新版本发给我",
  "满三百减五十，限时两天",
  "您的包裹已由本人签收，感谢使用",
  "周末去爬山吗？天气预报说是晴天",
  "该产品支持七天无理由退换",
  "根据第三条规定，押金应在十五日内退还",
  "本研究比较了三种方法在不同条件下的表现",
  "收到，谢谢",
  "价格还能再优惠一点吗",
  "孩子今天在学校表现很好",
  "系统将于今晚零点进行维护",
  "城市的清晨总是从豆浆的香味开始的",
];
const english = [
  "Could you tell me when the parcel will arrive?",
  "The meeting has been moved to Thursday afternoon.",
  "Thanks, that worked!",
  "We regret to inform you that the item is out of stock.",
  "All claims must be submitted within thirty days of purchase.",
  "New season, new colours, free delivery this weekend",
  "The results suggest that the second method is more stable.",
  "ok see you there",
  "Please review the attached draft before Friday.",
  "Ten quiet villages you can reach by train",
  "Battery life is excellent, but the screen scratches easily.",
  "Add the flour slowly and stir until the dough is smooth.",
  "Your password was changed from a new device.",
  "Simplicity is the soul of efficiency.",
  "How the harbour town rebuilt its market hall",
];

export type Language = "zh" | "en" | "both";

export interface Words {
  sentence(): string;
  paragraph(sentences: number): string;
  /** A few words. */
  title(): string;
  amount(): string;
}

export function wordsIn(language: Language, chance: Chance): Words {
  const pool = { zh: chinese, en: english, both: [...chinese, ...english] }[language];
  const sentence = () => chance.pick(pool);
  return {
    sentence,
    paragraph: (count) =>
      chance.some(pool, count).join(language === "zh" ? (chance.share() < 0.5 ? "。" : "，") : " "),
    title: () => {
      const text = sentence();
      return /[a-z]/.test(text)
        ? text.split(" ").slice(0, chance.whole(1, 4)).join(" ")
        : text.slice(0, chance.whole(3, 9));
    },
    amount: () =>
      chance.pick([
        `￥${chance.between(1, 900).toFixed(2)}`,
        `${chance.whole(1, 99)} %`,
        `${chance.whole(2, 30_000)}`,
        `2025/${chance.whole(1, 12)}/${chance.whole(1, 28)}`,
      ]),
  };
}
