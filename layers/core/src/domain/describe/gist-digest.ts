/** Names a gist by what a prompt says of it. DESCRIBE stages gists under it; results keep it. */
import { createHash } from "node:crypto";
import type { Gist } from "../../schema/gist.ts";

/** First 16 hex digits of a SHA-256; another text, strategy, flag or shape is another gist. */
export const gistDigest = ({ hash, strategy, text, flags, normaliser, pieces, notes }: Gist): string =>
  createHash("sha256")
    .update(JSON.stringify([hash, strategy, text, flags, normaliser, pieces, notes].filter(isGiven)))
    .digest("hex")
    .slice(0, 16);

const isGiven = (value: unknown): boolean => value !== undefined;
