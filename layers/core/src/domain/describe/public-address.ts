/** Whether an IP address is one of the public internet; whoever fetches media from outside asks before connecting. */

export const addressKinds = [
  "public",
  "loopback",
  "private",
  "link-local",
  /** Where clouds answer questions about the machine, its credentials among them. */
  "metadata",
  /** Multicast, documentation, tunnels and everything else that no web server has. */
  "reserved",
  "not-an-address",
] as const;
export type AddressKind = (typeof addressKinds)[number];

/** Of clouds, where the range they lie in does not say so already. */
const metadataAddresses: readonly string[] = [
  "169.254.169.254",
  "169.254.169.253",
  "169.254.170.2",
  "169.254.170.23",
  "100.100.100.200",
  "168.63.129.16",
  "192.0.0.192",
];

/** IANA's IPv4 Special-Purpose Address Registry; what is in none of these ranges is public. */
const ranges4: readonly (readonly [string, number, AddressKind])[] = [
  ["0.0.0.0", 8, "loopback"],
  ["127.0.0.0", 8, "loopback"],
  ["10.0.0.0", 8, "private"],
  ["100.64.0.0", 10, "private"],
  ["172.16.0.0", 12, "private"],
  ["192.168.0.0", 16, "private"],
  ["169.254.0.0", 16, "link-local"],
  ["192.0.0.0", 24, "reserved"],
  ["192.0.2.0", 24, "reserved"],
  ["192.88.99.0", 24, "reserved"],
  ["198.18.0.0", 15, "reserved"],
  ["198.51.100.0", 24, "reserved"],
  ["203.0.113.0", 24, "reserved"],
  ["224.0.0.0", 4, "reserved"],
  ["240.0.0.0", 4, "reserved"],
];

/** The kind of a textual address as resolvers and URL parsers write it; a zone after `%` is left out. */
export const addressKind = (address: string): AddressKind => {
  const four = readFour(address);
  if (four !== null) return kindOfFour(four);
  const words = readSix(address.split("%")[0] ?? "");
  return words === null ? "not-an-address" : kindOfSix(words);
};

/** Four plain decimal numbers. Octal, hexadecimal and shortened forms are not addresses here. */
const readFour = (text: string): number | null => {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null;
  return parts.reduce((value, part) => value * 256 + Number(part), 0);
};

const kindOfFour = (value: number): AddressKind => {
  if (metadataAddresses.some((address) => readFour(address) === value)) return "metadata";
  const found = ranges4.find(([start, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(value / size) === Math.floor((readFour(start) ?? 0) / size);
  });
  return found?.[2] ?? "public";
};

/** Eight 16-bit words, or null. */
const readSix = (text: string): readonly number[] | null => {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  if (dotted) {
    const four = readFour(dotted[2] ?? "");
    if (four === null) return null;
    return readSix(`${dotted[1]}${(four >>> 16).toString(16)}:${(four & 0xffff).toString(16)}`);
  }
  const halves = text.split("::");
  if (!text.includes(":") || halves.length > 2) return null;
  const [head, tail] = halves.map(readWords);
  if (!head || tail === null) return null;
  if (tail === undefined) return head.length === 8 ? head : null;
  const gap = 8 - head.length - tail.length;
  return gap < 1 ? null : [...head, ...new Array<number>(gap).fill(0), ...tail];
};

const readWords = (text: string): readonly number[] | null => {
  if (text === "") return [];
  const words = text.split(":");
  return words.every((word) => /^[0-9a-f]{1,4}$/i.test(word))
    ? words.map((word) => parseInt(word, 16))
    : null;
};

const kindOfSix = (words: readonly number[]): AddressKind => {
  const [first = 0, second = 0] = words;
  const lastTwo = (words[6] ?? 0) * 0x10000 + (words[7] ?? 0);
  const starts = (...prefix: readonly number[]): boolean =>
    prefix.every((word, index) => words[index] === word);
  if (words.slice(0, 7).every((word) => word === 0) && (words[7] ?? 0) < 2) return "loopback";
  // Addresses that carry an IPv4 address are what that one is: mapped, translated, by NAT64.
  if (starts(0, 0, 0, 0, 0, 0xffff) || starts(0, 0, 0, 0, 0xffff, 0) || starts(0x64, 0xff9b, 0, 0, 0, 0))
    return kindOfFour(lastTwo);
  // AWS answers about the machine here.
  if (starts(0xfd00, 0xec2)) return "metadata";
  if ((first & 0xffc0) === 0xfe80) return "link-local";
  if ((first & 0xfe00) === 0xfc00 || (first & 0xffc0) === 0xfec0) return "private";
  // Only 2000::/3 is given to networks; within it: protocols and tunnels, documentation, 6to4.
  if ((first & 0xe000) !== 0x2000) return "reserved";
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return "reserved";
  if (first === 0x2002 || (first === 0x3fff && second < 0x1000)) return "reserved";
  return "public";
};
