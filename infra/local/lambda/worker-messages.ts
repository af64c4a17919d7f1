/** What the runtime thread and its host say to each other. Payloads are JSON text, as on Lambda's own wire. */

export interface RuntimeSettings {
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly handlerFile: string;
  readonly handlerName: string;
  /** Directories, each ending in a separator, from which the function may import. */
  readonly roots: readonly string[];
}

export interface ToWorker {
  readonly requestId: string;
  readonly payload: string;
  readonly timeoutMs: number;
}

export interface OutputChunk {
  readonly stream: "stdout" | "stderr";
  readonly text: string;
}

export interface Failure {
  readonly errorType: string;
  readonly errorMessage: string;
  readonly trace: string;
}

export type FromWorker =
  | { readonly kind: "ready" }
  | ({ readonly kind: "init-failed" } & Failure)
  | { readonly kind: "output"; readonly chunks: readonly OutputChunk[] }
  | { readonly kind: "result"; readonly payload: string }
  | ({ readonly kind: "thrown" } & Failure);
