/** Takes out of a model server's error message what it repeats of our request; used where such messages are kept. */

const shortest = 12;
const longestMessage = 300;

/**
 * The message in at most 300 characters, with every run of 12 or more that also stands in `sent` replaced by
 * an ellipsis: servers like to quote the input they could not read, and logs must not hold samples.
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

/** Length of the longest start of `rest` that some sent text holds; 0 if that is too short to tell anything. */
const echoLength = (rest: string, sent: readonly string[]): number => {
  let length = 0;
  for (const text of sent) {
    let at = rest.length < shortest ? -1 : text.indexOf(rest.slice(0, shortest));
    while (at !== -1) {
      let end = shortest;
      while (end < rest.length && rest[end] === text[at + end]) end += 1;
      length = Math.max(length, end);
      at = text.indexOf(rest.slice(0, shortest), at + 1);
    }
  }
  return length;
};
