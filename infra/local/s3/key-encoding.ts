/** Form encoding of object keys, as S3 uses it in event records and in `encoding-type=url` listings. */

const leftByEncodeUriComponent = /[!'()]/g;

/** Percent-encodes a key, with a space as `+` and `/` kept: `a b/文.png` becomes `a+b/%E6%96%87.png`. */
export function formEncodeKey(key: string): string {
  return encodeURIComponent(key)
    .replace(leftByEncodeUriComponent, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%20", "+")
    .replaceAll("%2F", "/");
}
