/** Reads a picture from outside: allow-listed hosts only, https only, no redirects, bounded in size and time. */
import { permanent, transient } from "@touchstone/core/errors";

const timeoutMs = 20_000;

/** Hosts as `MEDIA_HOSTS` lists them, separated by commas; none by default. */
export const readHosts = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .split(",")
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ""),
  );

/** A refusal is the permanent error `refused`; a missing picture is `object-missing`. */
export const httpsPicture =
  (hosts: ReadonlySet<string>) =>
  async (url: string, maxBytes: number): Promise<Uint8Array> => {
    const host = hostOf(url);
    if (host === null || !hosts.has(host)) {
      throw permanent("refused", `host "${host ?? "?"}" is not on the list of media hosts`);
    }
    let response: Response;
    try {
      response = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
    } catch (cause) {
      throw transient("unavailable", `a picture at ${host} could not be read`, { cause });
    }
    if (response.status === 404 || response.status === 410)
      throw permanent("object-missing", `${host} has no such picture`);
    if (!response.ok) throw transient("unavailable", `${host} answered ${response.status}`);
    return await boundedBody(response, maxBytes);
  };

const hostOf = (url: string): string | null => {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  return parsed.protocol === "https:" && parsed.username === "" ? parsed.host.toLowerCase() : null;
};

const boundedBody = async (response: Response, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw permanent("object-too-large", `a picture has at most ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};
