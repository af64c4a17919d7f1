/** One comparable form for every way to write a number: exact, with sign and unit. Called by `scoreExact`. */

/** An exact fraction in lowest terms with its unit, e.g. `km` or `%`; an empty unit for a bare number. */
export interface ExactNumber {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly unit: string;
}

/** A number that no fraction equals; comparable only within a declared tolerance. */
export const symbols: Readonly<Record<string, number>> = { π: Math.PI, pi: Math.PI, e: Math.E };

/** Digits beyond this are not an answer but a waste of time. */
const longestNumber = 60;

const decimal = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:[.,]\d+)?|[.,]\d+`;
const sign = "[-+−﹣]?";
const mixed = new RegExp(`^(${sign})\\s*(${decimal})\\s*(?:[/⁄÷]\\s*(${decimal}))?\\s*(.*)$`, "s");

/** Spellings of TeX, without changing what they mean. */
function withoutTex(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\\[!,;: ]|~|\\(?:left|right)(?![a-z])|\\displaystyle/g, "")
    .replace(/\\[td]?frac\s*\{([^{}]+)\}\s*\{([^{}]+)\}/g, "$1/$2")
    .replace(/\\[td]?frac\s*(\d)\s*(\d)/g, "$1/$2")
    .replace(/\\(?:text|mathrm|mbox)\s*\{([^{}]*)\}/g, " $1")
    .replace(/\\pi(?![a-z])/g, "π")
    .replace(/\^\s*\{?\s*\\circ\s*\}?/g, "°")
    .replace(/\\([$%])/g, "$1")
    .replace(/\$/g, "")
    .trim();
}

/** The number that a text is, with nothing else around it but its unit; null for anything else. */
export function parseNumber(text: string): ExactNumber | null {
  const plain = withoutTex(text)
    .replace(/^[A-Za-z]{1,2}\s*=\s*/, "")
    .replace(/[。.!！;；\s]+$/, "");
  const match = mixed.exec(plain);
  if (!match || plain.length > longestNumber) return null;
  const [, signText = "", whole = "", divisor, rest = ""] = match;
  if (/\d|[=+*×^√π]/.test(rest)) return null;
  const top = fraction(whole);
  const bottom = divisor === undefined ? { numerator: 1n, denominator: 1n } : fraction(divisor);
  if (bottom.numerator === 0n) return null;
  const negative = /[-−﹣]/.test(signText) ? -1n : 1n;
  return reduced(
    negative * top.numerator * bottom.denominator,
    top.denominator * bottom.numerator,
    rest.trim().replace(/\s+/g, " "),
  );
}

/** A comma before exactly three digits groups thousands; any other is a decimal comma. */
function fraction(written: string): { numerator: bigint; denominator: bigint } {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.|$)/.test(written);
  const [whole = "0", decimals = ""] = (
    grouped ? written.replaceAll(",", "") : written.replace(",", ".")
  ).split(".");
  return { numerator: BigInt(`${whole || "0"}${decimals}`), denominator: 10n ** BigInt(decimals.length) };
}

function reduced(numerator: bigint, denominator: bigint, unit: string): ExactNumber {
  const divisor = gcd(numerator < 0n ? -numerator : numerator, denominator) || 1n;
  return { numerator: numerator / divisor, denominator: denominator / divisor, unit };
}

const gcd = (left: bigint, right: bigint): bigint => (right === 0n ? left : gcd(right, left % right));

/** Ends and brackets of an interval, each end exact; null for anything else. */
function parseInterval(text: string): string | null {
  const match = /^([[(])\s*([^,;]+)[,;]\s*([^,;]+)([\])])$/.exec(withoutTex(text));
  if (!match) return null;
  const ends = [match[2] ?? "", match[3] ?? ""].map((end) => {
    const number = parseNumber(end);
    return number ? `${number.numerator}/${number.denominator}` : end.trim();
  });
  return `${match[1]}${ends.join(",")}${match[4]}`;
}

export interface NumberPolicy {
  /** Largest difference that still counts as equal; 0 compares exactly. */
  readonly tolerance?: number;
  /** `50%` and `0.5` are the same answer. */
  readonly percent?: boolean;
}

/** Whether two written numbers (or intervals) are the same value; null where that cannot be told. */
export function sameNumber(left: string, right: string, policy: NumberPolicy = {}): boolean | null {
  const tolerance = policy.tolerance ?? 0;
  const [one, other] = [parseNumber(left), parseNumber(right)];
  if (one && other) {
    const [a, b] = policy.percent ? [withoutPercent(one), withoutPercent(other)] : [one, other];
    const units = sameUnit(a.unit, b.unit);
    if (units !== true) return units;
    if (a.numerator * b.denominator === b.numerator * a.denominator) return true;
    return tolerance > 0 && Math.abs(approximate(a) - approximate(b)) <= tolerance;
  }
  const [first, second] = [value(left, one), value(right, other)];
  // An exact number never equals a symbol; within a tolerance it may.
  if (first !== null && second !== null) {
    return withoutTex(left) === withoutTex(right) || (tolerance > 0 && Math.abs(first - second) <= tolerance);
  }
  const [from, to] = [parseInterval(left), parseInterval(right)];
  if (from !== null && to !== null) return from === to;
  return withoutTex(left) === withoutTex(right) ? true : null;
}

/** Equal, different, or null where only one side names its unit. */
function sameUnit(left: string, right: string): boolean | null {
  if (left.toLowerCase() === right.toLowerCase()) return true;
  if (left === "%" || right === "%") return false;
  return left === "" || right === "" ? null : false;
}

function withoutPercent(number: ExactNumber): ExactNumber {
  return number.unit === "%" ? reduced(number.numerator, number.denominator * 100n, "") : number;
}

const approximate = (number: ExactNumber): number => Number(number.numerator) / Number(number.denominator);

const value = (text: string, number: ExactNumber | null): number | null =>
  number ? approximate(number) : (symbols[withoutTex(text)] ?? null);
