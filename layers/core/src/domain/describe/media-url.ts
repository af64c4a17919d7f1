/** Which URLs media may be fetched from, and the names of the refusals. DESCRIBE asks at the start and at every redirect. */

/** Every refusal of media from outside begins with one of these names, and goes on in words for the person who sent it. */
export const mediaRefusals = [
  "bad-reference",
  "bucket-not-listed",
  "not-https",
  "credentials-in-url",
  "host-not-listed",
  "address-not-public",
  "too-many-redirects",
  "redirect-without-target",
  "wrong-type",
  "compressed-transfer",
  "host-refuses",
] as const;
export type MediaRefusal = (typeof mediaRefusals)[number];

/** The name first, so that programs and people find it again. */
export const refusalText = (refusal: MediaRefusal, detail: string): string => `${refusal}: ${detail}`;

export type CheckedUrl =
  | { readonly kind: "allowed"; readonly url: URL }
  | { readonly kind: "refused"; readonly refusal: MediaRefusal; readonly detail: string };

/** Hosts as people list them, separated by commas: `cdn.example` or `cdn.example:8443`. A wrong one throws, by name. */
export const readMediaHosts = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((host) => host.trim())
      .filter((host) => host !== "")
      .map((host) => {
        const url = URL.parse(`https://${host}`);
        if (url === null || url.pathname !== "/" || url.username !== "" || url.search !== "")
          throw new Error(
            `media host "${host}" is no host name; write it like cdn.example or cdn.example:8443`,
          );
        return url.host;
      }),
  );

/** Whether a URL may be fetched, as far as its text says; `base` is the page that redirected to it. */
export const checkMediaUrl = (text: string, hosts: ReadonlySet<string>, base?: URL): CheckedUrl => {
  const url = URL.parse(text, base?.href);
  if (url === null) return refused("bad-reference", "the address is not a URL");
  if (url.protocol !== "https:")
    return refused("not-https", `${url.protocol}// is not read; only https:// is`);
  if (url.username !== "" || url.password !== "")
    return refused("credentials-in-url", `the URL at ${url.host} holds a name or password; leave it out`);
  // The parser has turned decimal, octal and hexadecimal numbers into a dotted address, and names into ASCII, by now.
  if (!hosts.has(url.host))
    return refused("host-not-listed", `host "${url.host}" is not on the list of media hosts`);
  return { kind: "allowed", url };
};

const refused = (refusal: MediaRefusal, detail: string): CheckedUrl => ({ kind: "refused", refusal, detail });
