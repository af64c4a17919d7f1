/** Pictures from outside: what is fetched, and the name of every refusal. Servers on loopback stand in for the internet. */

import type { RequestListener } from "node:http";
import { type MediaRefusal, readMediaHosts } from "@touchstone/core/domain/describe/media-url";
import { addressKind } from "@touchstone/core/domain/describe/public-address";
import { afterEach, describe, expect, test } from "vitest";
import { type HttpsMediaOptions, httpsMedia } from "../../functions/_aws/https-media.ts";
import { listen } from "../contract/loopback.ts";
import { certificate, mediaServer } from "./media-server.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const picture = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const maxBytes = 1_000;

/** Loopback counts as public here, so that a test has somewhere to go; every other address is what it is. */
const kindOf: HttpsMediaOptions["kindOf"] = (address) =>
  address === "127.0.0.1" ? "public" : addressKind(address);
const toLoopback: HttpsMediaOptions["resolve"] = async () => [{ address: "127.0.0.1", family: 4 }];

/** A server, and the way to it under the name media.example; the port is part of what is allowed. */
const start = async (listener: RequestListener, part: Partial<HttpsMediaOptions> = {}) => {
  let requests = 0;
  const server = await listen(
    mediaServer((request, response) => {
      requests += 1;
      listener(request, response);
    }),
  );
  open.push(server);
  const { port } = new URL(server.url);
  const hosts = readMediaHosts(["media", "other", "sly"].map((name) => `${name}.example:${port}`).join());
  const fetch = httpsMedia({ hosts, resolve: toLoopback, kindOf, ca: certificate, ...part });
  const url = (path = "/a.png", host = "media.example") => `https://${host}:${port}${path}`;
  return { port, url, get: (address = url()) => fetch(address, maxBytes, "image"), requests: () => requests };
};
const sending =
  (headers: Readonly<Record<string, string>>, body: Uint8Array = picture, status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body);
  };
const image = { "content-type": "image/png" };
const refusal = (name: MediaRefusal, ...words: readonly string[]) =>
  expect.objectContaining({
    kind: "permanent",
    code: "refused",
    message: expect.stringMatching(new RegExp(`^${name}: .*${words.join(".*")}`)),
  });

describe("what is read", () => {
  test.each([
    ["a picture", image],
    ["a type with parameters", { "content-type": "Image/JPEG; charset=binary" }],
    ["an object whose store knows no type", { "content-type": "binary/octet-stream" }],
    ["no type at all", {}],
  ])("%s", async (_, headers) => {
    const { get } = await start(sending(headers));
    expect(Buffer.from(await get())).toEqual(picture);
  });

  test("is asked for under the host's own name, with no credentials and no compression", async () => {
    let seen: unknown;
    const { get, port } = await start((request, response) => {
      seen = request.headers;
      sending(image)(request, response);
    });
    await get();
    expect(seen).toMatchObject({ host: `media.example:${port}`, "accept-encoding": "identity" });
    expect(seen).not.toHaveProperty("cookie");
  });

  test("a redirect to another listed host is followed", async () => {
    const { get, url } = await start((request, response) => {
      if (request.headers.host?.startsWith("other")) return void sending(image)(request, response);
      response.writeHead(302, { location: url("/b.png", "other.example") }).end();
    });
    expect(Buffer.from(await get())).toEqual(picture);
  });
});

describe("an address that is not read at all", () => {
  const never = async () => {
    throw new Error("nobody may ask for an address");
  };
  const fetch = httpsMedia({ hosts: readMediaHosts("cdn.example, 127.0.0.1"), resolve: never });

  test.each<[string, MediaRefusal]>([
    ["not a url", "bad-reference"],
    ["http://cdn.example/a.png", "not-https"],
    ["file:///etc/passwd", "not-https"],
    ["https://name:word@cdn.example/a.png", "credentials-in-url"],
    ["https://cdn.example@evil.example/a.png", "credentials-in-url"],
    ["https://evil.example/a.png", "host-not-listed"],
    ["https://evil.example/?cdn.example", "host-not-listed"],
    ["https://cdn.example.evil.example/a.png", "host-not-listed"],
    ["https://sub.cdn.example/a.png", "host-not-listed"],
    ["https://cdn.example:8443/a.png", "host-not-listed"],
    ["https://2130706433/a.png", "address-not-public"],
    ["https://0177.0.0.1/a.png", "address-not-public"],
    ["https://0x7f.1/a.png", "address-not-public"],
    ["https://127.1/a.png", "address-not-public"],
    ["https://169.254.169.254/latest/meta-data", "host-not-listed"],
    ["https://0xa9fea9fe/latest/meta-data", "host-not-listed"],
    ["https://[::ffff:127.0.0.1]/a.png", "host-not-listed"],
    ["https://[::1]/a.png", "host-not-listed"],
  ])("%s: %s", async (url, name) => {
    await expect(fetch(url, maxBytes, "image")).rejects.toEqual(refusal(name));
  });

  test("an address on the list stays what it is", async () => {
    const listed = httpsMedia({
      hosts: readMediaHosts("[::ffff:10.0.0.1], [fd00:ec2::254]"),
      resolve: never,
    });
    await expect(listed("https://[::ffff:10.0.0.1]/", 9, "image")).rejects.toEqual(
      refusal("address-not-public", "private"),
    );
    await expect(listed("https://[fd00:ec2::254]/", 9, "image")).rejects.toEqual(
      refusal("address-not-public", "metadata"),
    );
  });
});

describe("where a name leads", () => {
  test.each([
    ["10.0.0.1", "private"],
    ["127.0.0.2", "loopback"],
    ["169.254.169.254", "metadata"],
    ["169.254.1.1", "link-local"],
    ["::ffff:192.168.0.1", "private"],
    ["fe80::1", "link-local"],
    ["::1", "loopback"],
    ["224.0.0.1", "reserved"],
  ])("%s is refused as %s, and nobody is called", async (address, kind) => {
    const family = address.includes(":") ? 6 : 4;
    const { get, requests } = await start(sending(image), { resolve: async () => [{ address, family }] });
    await expect(get()).rejects.toEqual(refusal("address-not-public", address, kind));
    expect(requests()).toBe(0);
  });

  test("one private address among public ones spoils the name", async () => {
    const resolve = async () => [
      { address: "127.0.0.1", family: 4 },
      { address: "10.1.2.3", family: 4 },
    ];
    const { get, requests } = await start(sending(image), { resolve });
    await expect(get()).rejects.toEqual(refusal("address-not-public", "10.1.2.3"));
    expect(requests()).toBe(0);
  });

  test("a name that changes its address between check and call is asked once, and the checked address is called", async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
    };
    const { get } = await start(sending(image), { resolve });
    expect(Buffer.from(await get())).toEqual(picture);
    expect(asked).toBe(1);
  });

  test("and is checked anew at a redirect to itself", async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [{ address: asked === 1 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
    };
    const { get, requests } = await start(sending({ location: "/b.png" }, picture, 302), { resolve });
    await expect(get()).rejects.toEqual(refusal("address-not-public", "169.254.169.254", "metadata"));
    expect(requests()).toBe(1);
  });

  test("a name without an address may have one later", async () => {
    const { get } = await start(sending(image), { resolve: async () => [] });
    await expect(get()).rejects.toMatchObject({ kind: "transient", code: "unavailable" });
  });
});

describe("redirects", () => {
  test.each<[string, (url: (path: string, host?: string) => string) => string, MediaRefusal]>([
    ["to plain http", () => "http://media.example/a.png", "not-https"],
    ["to a file", () => "file:///etc/passwd", "not-https"],
    ["to a host that is not listed", () => "https://evil.example/", "host-not-listed"],
    ["to the metadata address", () => "https://169.254.169.254/", "host-not-listed"],
    ["to a name and password", (url) => url("/").replace("https://", "https://a:b@"), "credentials-in-url"],
    ["without end", (url) => url("/again"), "too-many-redirects"],
  ])("%s", async (_, target, name) => {
    const { get, url, requests } = await start((_, response) => {
      response.writeHead(307, { location: target(url) }).end();
    });
    await expect(get()).rejects.toEqual(refusal(name));
    expect(requests()).toBeLessThan(5);
  });

  test("to a listed name that leads inside", async () => {
    const resolve = async (host: string) => [
      { address: host === "sly.example" ? "10.0.0.7" : "127.0.0.1", family: 4 },
    ];
    const { get, requests, url } = await start(
      (_, response) => void response.writeHead(301, { location: url("/", "sly.example") }).end(),
      { resolve },
    );
    await expect(get()).rejects.toEqual(refusal("address-not-public", "sly.example", "10.0.0.7"));
    expect(requests()).toBe(1);
  });

  test("to nowhere", async () => {
    const { get } = await start(sending({}, picture, 302));
    await expect(get()).rejects.toEqual(refusal("redirect-without-target"));
  });
});

describe("limits", () => {
  test("a length over the limit is refused before a byte is read", async () => {
    const { get } = await start((_, response) => {
      response.writeHead(200, { ...image, "content-length": maxBytes + 1 });
      response.flushHeaders();
    });
    await expect(get()).rejects.toMatchObject({ kind: "permanent", code: "object-too-large" });
  });

  test("a body that says nothing of its length is cut off where it goes over, not after", async () => {
    let written = 0;
    const { get } = await start((_, response) => {
      response.writeHead(200, image);
      const more = (): void => {
        if (response.destroyed) return;
        written += 500;
        response.write(Buffer.alloc(500), () => setImmediate(more));
      };
      more();
    });
    await expect(get()).rejects.toMatchObject({ kind: "permanent", code: "object-too-large" });
    expect(written).toBeLessThan(10_000_000);
  });

  test.each<[string, RequestListener]>([
    ["never answers", () => undefined],
    ["dribbles for ever", (_, response) => void response.writeHead(200, image).write("x")],
  ])("a host that %s is given up by name", async (_, listener) => {
    const { get } = await start(listener, { timeoutMs: 100 });
    await expect(get()).rejects.toMatchObject({
      kind: "transient",
      code: "timed-out",
      message: expect.stringContaining("media.example"),
    });
  });

  test.each<[string, Readonly<Record<string, string>>, MediaRefusal, string]>([
    ["a web page", { "content-type": "text/html; charset=utf-8" }, "wrong-type", "text/html"],
    ["a film", { "content-type": "video/mp4" }, "wrong-type", "video/mp4"],
    ["a compressed body", { ...image, "content-encoding": "gzip" }, "compressed-transfer", "gzip"],
  ])("%s", async (_, headers, name, word) => {
    const { get } = await start(sending(headers));
    await expect(get()).rejects.toEqual(refusal(name, word));
  });

  test("a video is one where a video is asked for, and a picture is none", async () => {
    const { url, port } = await start(sending({ "content-type": "video/mp4" }));
    const hosts = readMediaHosts(`media.example:${port}`);
    const fetch = httpsMedia({ hosts, resolve: toLoopback, kindOf, ca: certificate });
    expect(Buffer.from(await fetch(url(), maxBytes, "video"))).toEqual(picture);
    await expect(fetch(url(), maxBytes, "image")).rejects.toEqual(refusal("wrong-type", "video/mp4"));
  });

  test("a body that is cut off is no picture", async () => {
    const { get } = await start((_, response) => {
      response.writeHead(200, { ...image, "content-length": 500 });
      response.write("half", () => response.destroy());
    });
    await expect(get()).rejects.toMatchObject({ kind: "transient", code: "unavailable" });
  });
});

describe("what a host answers", () => {
  test.each([
    [404, "permanent", "object-missing"],
    [410, "permanent", "object-missing"],
    [401, "permanent", "refused"],
    [403, "permanent", "refused"],
    [206, "permanent", "refused"],
    [429, "transient", "throttled"],
    [503, "transient", "throttled"],
    [500, "transient", "unavailable"],
  ])("%i is %s: %s", async (status, kind, code) => {
    const { get } = await start(sending({ ...image, "retry-after": "7" }, picture, status));
    await expect(get()).rejects.toMatchObject({ kind, code });
  });

  test("a certificate of somebody else is no answer", async () => {
    const { get } = await start(sending(image), { ca: "" });
    await expect(get()).rejects.toMatchObject({ kind: "transient", code: "unavailable" });
  });
});

test.each(["http://cdn.example", "cdn.example/path", "user@cdn.example", "cdn example"])(
  "a list of hosts with %s in it is refused by name",
  (host) => {
    expect(() => readMediaHosts(`good.example,${host}`)).toThrow(host);
  },
);
