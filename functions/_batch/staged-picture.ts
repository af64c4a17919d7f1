/** Where DESCRIBE leaves the normalised picture, so that judge and reviewer see the very same one. */

/** Key in the results bucket, by the SHA-256 of the picture as it was uploaded. */
export const pictureKey = (hash: string): string => `staging/pictures/${hash}`;
