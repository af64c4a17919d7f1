/** Takes out of a model server's error message what it repeats of our request; used where such messages are kept. */

/** In UTF-8 bytes: two short words, or a name and a verb in Chinese. */
const shortestEcho = 12;
const longestMessage = 300;

/**
 * The message in at most 300 characters, with every run of 12 bytes or more that also stands in `sent` replaced
 * by an ellipsis: servers like to quote the input they could not read, and logs must not hold samples.
 */
export const redactEcho = (message: string, sent: readonly string[]): string => {
  const said = message.slice(0, longestMessage);
  let kept = "";
  for (let index = 0; index < said.length; ) {
    const length = echoLength(said.slice(index), sent);
    kept += length > 0 ? "…" : (said[index] ?? "");
    index += Math.max(1, length);
  }
  return message.length > longestMessage ? `${kept}…` : kept;
};

/** The shortest start of `rest` that tells anything; null where all of it tells nothing. */
const tellingStart = (rest: string): string | null => {
  for (let end = Math.ceil(shortestEcho / 3); end <= Math.min(shortestEcho, rest.length); end += 1) {
    const start = rest.slice(0, end);
    if (Buffer.byteLength(start) >= shortestEcho) return start;
  }
  return null;
};

/** Length of the longest start of `rest` that some sent text holds; 0 if that is too short to tell anything. */
const echoLength = (rest: string, sent: readonly string[]): number => {
  const start = tellingStart(rest);
  if (start === null) return 0;
  let length = 0;
  for (const text of sent) {
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + 1)) {
      let end = start.length;
      while (end < rest.length && rest[end] === text[at + end]) end += 1;
      length = Math.max(length, end);
    }
  }
  return length;
};
