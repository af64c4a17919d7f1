/** Model servers on loopback that follow a script, in turn; the last line repeats. */
import type { ServerResponse } from "node:http";
import { type Heard, type Loopback, serve } from "./loopback.ts";

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

/** `silent` never answers; `reset` cuts the connection. */
export type Line = Reply | "silent" | "reset";

export interface ScriptedServer extends Loopback {
  readonly heard: readonly Heard[];
}

export const json = (status: number, body: unknown, headers: Reply["headers"] = {}): Reply => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body),
});

/** An error as the SageMaker runtime words it; `fields` are members of its JSON body. */
export const awsError = (
  status: number,
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): Reply => json(status, fields, { "x-amzn-errortype": name });

export const serveScript = async (script: readonly Line[]): Promise<ScriptedServer> => {
  const heard: Heard[] = [];
  const server = await serve((request, response) => {
    heard.push(request);
    const line = script[Math.min(heard.length, script.length) - 1];
    if (line !== undefined) say(line, response);
  });
  return { ...server, heard };
};

const say = (line: Line, response: ServerResponse): void => {
  if (line === "silent") return;
  if (line === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  response.writeHead(line.status, line.headers);
  response.end(line.body);
};
