/** The few things every embedded HTTP server does: listen on 127.0.0.1, read a body, close at once. */
import type { IncomingMessage, Server } from "node:http";

/** Starts listening (any free port by default) and returns the base URL. */
export async function listen(server: Server, port = 0): Promise<string> {
  // The SDK reuses idle sockets for as long as it likes; Node's five seconds would reset some of its calls.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP port");
  return `http://127.0.0.1:${address.port}`;
}

/** The whole request body. By events: an asynchronous iterator costs a small call a tenth of its time. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  return await new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.once("error", reject);
    request.once("end", () => {
      const [only] = chunks;
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
  });
}

/** Stops accepting, drops open sockets and waits for the end. */
export async function closeServer(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}
