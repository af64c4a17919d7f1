/** Servers on 127.0.0.1 for the contract and adapter suites, and the environment that SDK clients read. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

export interface Loopback {
  readonly url: string;
  close(): Promise<void>;
}

export const listen = async (server: Server): Promise<Loopback> => {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no TCP port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        // Absent on servers that replace `close`, as dynalite does; those close their connections themselves.
        server.closeAllConnections?.();
      }),
  };
};

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** A server that answers as told; the whole request is read first. */
export const serve = (answer: (heard: Heard, response: ServerResponse) => void): Promise<Loopback> =>
  listen(
    createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(Buffer.from(chunk));
      const { method = "", url: path = "", headers } = request;
      answer({ method, path, headers, body: Buffer.concat(chunks) }, response);
    }),
  );

/** The SDK signs what it sends, whoever listens. */
export const useTestCredentials = (): void => {
  process.env.AWS_REGION = "eu-central-1";
  process.env.AWS_ACCESS_KEY_ID = "test";
  process.env.AWS_SECRET_ACCESS_KEY = "test";
};

/** Waits that take no time, and no chance. */
export const instantly = { random: () => 1, sleep: async () => undefined };
