/** Where DESCRIBE leaves a picture and its gist, so that judge, reviewer and a rebuilt prompt have the very same ones. */

/**
 * Key of a tile of the normalised picture in the results bucket, by the SHA-256 of the picture as it was uploaded and the
 * version of the normaliser, so that a newer one never changes what an older prompt showed.
 */
export const pictureKey = (
  { hash, normaliser }: { readonly hash: string; readonly normaliser?: string | undefined },
  tile = 0,
): string =>
  `staging/pictures/${hash}${normaliser === undefined ? "" : `-${normaliser}`}${tile === 0 ? "" : `.${tile}`}`;

/** Key of a gist, by the digest that results keep of it. */
export const gistKey = (digest: string): string => `staging/gists/${digest}.json`;

/** Key of what is known of a video's key frames, by the SHA-256 of its bytes; written after the frames. */
export const framesKey = (hash: string): string => `staging/videos/${hash}.json`;

/** Key of a key frame as it was decoded. */
export const frameKey = (hash: string, index: number): string => `staging/videos/${hash}.${index}`;
