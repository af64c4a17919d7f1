/** What a queue message is about, in words that are the same in every run: versions, times and tokens left out. */

/** Of each thing that a message tells; only one that brings several outcomes has more than one. */
export const identitiesOf = (body: string): readonly string[] => {
  const message: unknown = JSON.parse(body);
  const { outcomes } = Object(message);
  return Array.isArray(outcomes)
    ? outcomes.map((outcome) => identityOf(outcome, body))
    : [identityOf(message, body)];
};

/** `chaos-03#17`, `chaos-03 check`, `chaos-03 event`, …; the whole body where it is none of ours. */
const identityOf = (message: unknown, body: string): string => {
  const { key, batch, kind, Records, reviewId } = Object(message);
  if (Array.isArray(Records)) return `${fileOf(String(Records[0]?.s3?.object?.key))} event`;
  if (typeof batch === "string") return `${fileOf(batch)} ${String(kind)}`;
  if (typeof key === "object" && key !== null) {
    const { batch: of, split, ordinal } = Object(key);
    return `${fileOf(String(of))}#${String(split)}#${String(ordinal)} ${String(kind ?? "sample")}`;
  }
  return typeof reviewId === "string" ? fileOf(reviewId) : body;
};

/** The batch's name, out of an object key or a batch id. */
export const fileOf = (text: string): string => /(?:^|\/)(chaos-\d+)\//.exec(text)?.[1] ?? "none";
