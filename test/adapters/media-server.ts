/** A web server for the tests of https-media.ts: TLS on loopback under made-up names, and the certificate to trust. */
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";

/** Of this test alone: names under `.example`, which no host on earth has. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBxjCCAWugAwIBAgIUBUz4Hd8EAdysnXqLU4rqMWIIwRswCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNbWVkaWEuZXhhbXBsZTAgFw0yNjExMjkxNzI1NDVaGA8yMTI2
MTEwNTE3MjU0NVowGDEWMBQGA1UEAwwNbWVkaWEuZXhhbXBsZTBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABF9rlrv/bRq3Yi2EyjyXpzl0kUVRwh79wH0dS2EjxIxg
B1JQZ9gnsBv30GUaOHEYxqSP/w0IlZ6+njcZl5XOOfKjgZAwgY0wHQYDVR0OBBYE
FCALVUdFs8iad7CqT+vcseHwAj3RMB8GA1UdIwQYMBaAFCALVUdFs8iad7CqT+vc
seHwAj3RMA8GA1UdEwEB/wQFMAMBAf8wOgYDVR0RBDMwMYINbWVkaWEuZXhhbXBs
ZYINb3RoZXIuZXhhbXBsZYILc2x5LmV4YW1wbGWHBH8AAAEwCgYIKoZIzj0EAwID
SQAwRgIhANWXf0VaZmUgmkglCwxBtzDsWrUJVJqyihorXzyEuj6aAiEAy31fgCwt
s0CLqp7LFnPpm9Gb5QGDDBqSrgCyRc4gbdM=
-----END CERTIFICATE-----`;

const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg27VDvVujPvqJOvVY
WKVdJcflJpVpBmDidgz7ZbYXclWhRANCAARfa5a7/20at2IthMo8l6c5dJFFUcIe
/cB9HUthI8SMYAdSUGfYJ7Ab99BlGjhxGMakj/8NCJWevp43GZeVzjny
-----END PRIVATE KEY-----`;

export const mediaServer = (listener: RequestListener): Server =>
  createServer({ cert: certificate, key }, listener);
