/**
 * Reads a picture or video from outside: listed hosts only, https only, public addresses only, a few redirects that are checked
 * like the first address, bounded in size, time and type. DESCRIBE calls it with URLs that a sample names.
 */
import { lookup } from "node:dns/promises";
import type { IncomingMessage } from "node:http";
import { Agent, request } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { checkMediaUrl, type MediaRefusal, refusalText } from "@touchstone/core/domain/describe/media-url";
import { type AddressKind, addressKind } from "@touchstone/core/domain/describe/public-address";
import { errorCode, type PipelineError, permanent, transient } from "@touchstone/core/errors";
import { parseRetryAfter } from "./retry-after.ts";

interface HostAddress {
  readonly address: string;
  readonly family: number;
}

export interface HttpsMediaOptions {
  /** As `readMediaHosts` gives them. */
  readonly hosts: ReadonlySet<string>;
  /** All addresses of a host; the system's resolver by default. */
  readonly resolve?: (host: string) => Promise<readonly HostAddress[]>;
  readonly kindOf?: (address: string) => AddressKind;
  /** Certificates that are trusted beside the usual ones. */
  readonly ca?: string;
  /** For everything together, redirects included. */
  readonly timeoutMs?: number;
}

const nouns = { image: "picture", video: "video" } as const;
const maxRedirects = 3;
/** Stores that were told no type send these. */
const untypedTypes: readonly string[] = ["", "application/octet-stream", "binary/octet-stream"];

/**
 * A refusal is the permanent error `refused`, its message begun by a name of `mediaRefusals`; a missing picture is
 * `object-missing`, one over `maxBytes` is `object-too-large`. What may pass by itself is transient.
 */
export const httpsMedia = (options: HttpsMediaOptions) => {
  const { hosts, kindOf = addressKind, timeoutMs = 20_000 } = options;
  const resolve = options.resolve ?? ((host: string) => lookup(host, { all: true }));
  const agent = new Agent({
    lookup: checkedLookup(resolve, kindOf),
    ...(options.ca === undefined ? {} : { ca: options.ca }),
  });
  return async (text: string, maxBytes: number, type: "image" | "video"): Promise<Uint8Array> => {
    const signal = AbortSignal.timeout(timeoutMs);
    let url = allowed(text, hosts);
    try {
      for (let redirects = 0; ; redirects += 1) {
        const literal = url.hostname.replace(/^\[|\]$/g, "");
        // No lookup is made for a host that is an address already.
        if (isIP(literal) !== 0) checkAddress(literal, literal, kindOf);
        const reply = await get(url, agent, signal, type);
        if (!isRedirect(reply)) return await bodyOf(reply, url, maxBytes, type);
        reply.destroy();
        if (redirects === maxRedirects)
          throw refused("too-many-redirects", `${url.host} redirects over ${maxRedirects} times`);
        const { location } = reply.headers;
        if (location === undefined)
          throw refused("redirect-without-target", `${url.host} redirects to nowhere`);
        url = allowed(location, hosts, url);
      }
    } catch (cause) {
      if (errorCode(cause) !== null) throw cause;
      if (signal.aborted)
        throw transient("timed-out", `${url.host} took over ${timeoutMs / 1000} s for the ${nouns[type]}`, {
          cause,
        });
      throw transient("unavailable", `the ${nouns[type]} at ${url.host} could not be read${reason(cause)}`, {
        cause,
      });
    }
  };
};

const refused = (refusal: MediaRefusal, detail: string): PipelineError =>
  permanent("refused", refusalText(refusal, detail));

const allowed = (text: string, hosts: ReadonlySet<string>, base?: URL): URL => {
  const checked = checkMediaUrl(text, hosts, base);
  if (checked.kind === "allowed") return checked.url;
  const from = base === undefined ? "" : `${base.host} redirects: `;
  throw refused(checked.refusal, from + checked.detail);
};

const checkAddress = (host: string, address: string, kindOf: (address: string) => AddressKind): void => {
  const kind = kindOf(address);
  if (kind !== "public")
    throw refused("address-not-public", `${host} is at ${address}, which is no public address (${kind})`);
};

/** One of a host's addresses that is not public spoils it. The connection goes to what was checked, and nothing else is asked. */
const checkedLookup =
  (
    resolve: (host: string) => Promise<readonly HostAddress[]>,
    kindOf: (address: string) => AddressKind,
  ): LookupFunction =>
  (host, options, done) => {
    const checked = resolve(host).then((addresses) => {
      for (const { address } of addresses) checkAddress(host, address, kindOf);
      const [first] = addresses;
      if (first === undefined) throw new Error(`${host} has no address`);
      return { first, addresses };
    });
    checked.then(
      ({ first, addresses }) =>
        options.all ? done(null, [...addresses]) : done(null, first.address, first.family),
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error)), ""),
    );
  };

const get = (url: URL, agent: Agent, signal: AbortSignal, type: string): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const headers = { accept: `${type}/*`, "accept-encoding": "identity", "user-agent": "touchstone" };
    request(url, { agent, signal, headers }).once("response", resolve).once("error", reject).end();
  });

const isRedirect = ({ statusCode }: IncomingMessage): boolean =>
  [301, 302, 303, 307, 308].some((status) => status === statusCode);

const bodyOf = async (
  reply: IncomingMessage,
  { host }: URL,
  maxBytes: number,
  type: "image" | "video",
): Promise<Uint8Array> => {
  try {
    const fault = faultOf(reply, host, maxBytes, type);
    if (fault !== null) throw fault;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of reply) {
      if (!(chunk instanceof Uint8Array)) throw new Error("the reply gave text instead of bytes");
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(host, maxBytes);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    reply.destroy();
  }
};

/** What the head of a reply says against reading its body. */
const faultOf = (
  reply: IncomingMessage,
  host: string,
  maxBytes: number,
  type: "image" | "video",
): PipelineError | null => {
  const { statusCode: status = 0, headers } = reply;
  if (status === 404 || status === 410)
    return permanent("object-missing", `${host} has no such ${nouns[type]}`);
  if (status === 429 || status === 503) {
    const seconds = parseRetryAfter(headers["retry-after"] ?? null, Date.now);
    return transient(
      "throttled",
      `${host} answered ${status}`,
      seconds === undefined ? {} : { retryAfterSeconds: seconds },
    );
  }
  if (status >= 500 || status === 408) return transient("unavailable", `${host} answered ${status}`);
  if (status !== 200)
    return refused("host-refuses", `${host} answered ${status}; is the link public, and still valid?`);
  const sent = (headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  if (!sent.startsWith(`${type}/`) && !untypedTypes.includes(sent))
    return refused("wrong-type", `${host} sends ${sent}; give the address of the ${nouns[type]} itself`);
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity")
    return refused("compressed-transfer", `${host} sends ${encoding}, though asked not to`);
  return Number(headers["content-length"] ?? 0) > maxBytes ? tooLarge(host, maxBytes) : null;
};

const tooLarge = (host: string, maxBytes: number): PipelineError =>
  permanent("object-too-large", `the file at ${host} has over ${maxBytes} bytes`);

const reason = (cause: unknown): string => (cause instanceof Error ? `: ${cause.message.slice(0, 200)}` : "");
