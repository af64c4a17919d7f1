/** What one request to a model endpoint may carry in pictures. The normaliser fits tiles to it, the prompt counts by it. */

/** Bytes of a request's body. SageMaker's real-time calls are the tightest that both may stand behind. */
const requestBytes = { captioner: 6_000_000, judge: 6_000_000 } as const;

/** Prompts, fences and gists of a full context, in UTF-8, and the frame of JSON around everything. */
const wordsBytes = 300_000;
const base64 = 3 / 4;

/** Encoded bytes of one picture, all its tiles: a captioner gets them in one request. */
export const pictureBytes = Math.floor((requestBytes.captioner - wordsBytes) * base64);

/**
 * Pixels of a tile's thumbnail: more than half as many again as the strategy network looks at, so that little is lost by
 * shrinking it once more. Decoding a whole tile took the endpoint longer than the network does.
 */
export const thumbnailPixels = 80_000;

/** Characters of data URLs in one prompt for the judge. */
export const promptPictureChars = requestBytes.judge - wordsBytes;
