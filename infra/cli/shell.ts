/** What the CLI has around it: streams, clock, environment. The entry gives it the process; tests give it their own. */
import type { Connection, ConnectionOptions } from "./connection.ts";

export interface Shell {
  /** Where `.touchstone/` lies. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  readonly isColored: boolean;
  readonly connect: (options: ConnectionOptions) => Promise<Connection>;
}
