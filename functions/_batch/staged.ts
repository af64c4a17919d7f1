/** Where DESCRIBE leaves a picture and its gist, so that judge, reviewer and a rebuilt prompt have the very same ones. */

/** Key of the normalised picture in the results bucket, by the SHA-256 of the picture as it was uploaded. */
export const pictureKey = (hash: string): string => `staging/pictures/${hash}`;

/** Key of a gist, by the digest that results keep of it. */
export const gistKey = (digest: string): string => `staging/gists/${digest}.json`;
