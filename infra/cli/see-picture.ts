/** One picture or video through DESCRIBE's own steps, with nothing around them: no bucket, no cache, no breaker. `see` calls it. */
import { randomUUID } from "node:crypto";
import { agreedStrategy } from "@touchstone/core/domain/describe/tile-strategy";
import { permanent } from "@touchstone/core/errors";
import type {
  BlobStore,
  ChatModel,
  GistStore,
  PictureNormaliser,
  StrategyModel,
  VideoReader,
} from "@touchstone/core/ports";
import type { Gist, MediaProblem, StrategyChoice } from "@touchstone/core/schema/gist";
import type { EndpointName } from "@touchstone/core/schema/pressure";
import { timing } from "@touchstone/core/timing";
import { pictureKey } from "../../functions/_batch/staged.ts";
import { describePicture } from "../../functions/_seeing/describe-picture.ts";
import { describeVideo, type VideoPorts } from "../../functions/_seeing/describe-video.ts";

export interface SeeingPorts {
  readonly normaliser: PictureNormaliser;
  readonly strategy: StrategyModel;
  readonly captioner: ChatModel;
  /** Reads the text alone, to check the captioner by; undefined: it is taken at its word. */
  readonly textReader: ChatModel | undefined;
  /** Undefined where no decoder is installed. */
  readonly videos?: VideoReader | undefined;
}

/** What a model and a reviewer are shown: the picture, a piece of a long one, or a key frame. */
export interface ShownPiece {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export type Seen =
  | {
      readonly kind: "gist";
      readonly gist: Gist;
      readonly choice: StrategyChoice;
      readonly shown: readonly ShownPiece[];
    }
  | { readonly kind: "problem"; readonly problem: MediaProblem };

/** Errors of the models are thrown. */
export const seePicture = async (
  name: string,
  file: Uint8Array,
  type: "image" | "video",
  language: "zh" | "en",
  given: SeeingPorts,
): Promise<Seen> => {
  const blobs = blobsAround(file);
  /** One for each piece or frame that is asked about. */
  const choices: StrategyChoice[] = [];
  const ports: VideoPorts = {
    ...given,
    blobs,
    gists: noCache,
    strategy: {
      version: given.strategy.version,
      async choose(picture, signal) {
        const choice = await given.strategy.choose(picture, signal);
        choices.push(choice);
        return choice;
      },
    },
    gates: { strategy: openGate("strategy"), captioner: openGate("captioner") },
    mediaBuckets: new Set(),
    fetchMedia: async () => {
      throw permanent("refused", "only files are looked at");
    },
    clock: Date.now,
    token: randomUUID,
    timing: timing(),
    resultsBucket,
  };
  const request = { ref: fileName, batchFile: inbox, language, deadline: Number.POSITIVE_INFINITY };
  const outcome =
    type === "image" ? await describePicture(request, ports) : await describeVideo(request, 0, ports);
  switch (outcome.kind) {
    case "gist": {
      const { gist } = outcome.placed;
      const shown = Array.from({ length: gist.pieces ?? 1 }, (_, index) => pictureKey(gist, index)).map(
        (key) => blobs.staged(key),
      );
      return { kind: "gist", gist, choice: agreedStrategy(choices), shown };
    }
    case "problem":
      return { kind: "problem", problem: { ...outcome.problem, ref: name } };
    case "busy":
    case "wait":
      throw new Error(`${name} is being waited for, where nobody else is at work`);
    default:
      return outcome satisfies never;
  }
};

const fileName = "file";
const inbox = { bucket: "inbox", key: "inbox/seen/seen/seen.jsonl" };
const resultsBucket = "results";

/** Gives the file from the inbox, and keeps what is staged. */
const blobsAround = (file: Uint8Array): BlobStore & { readonly staged: (key: string) => ShownPiece } => {
  const kept = new Map<string, ShownPiece>();
  const staged = (key: string): ShownPiece => {
    const found = kept.get(key);
    if (found === undefined) throw new Error(`nothing is staged as ${key}`);
    return found;
  };
  const head = ({ mediaType, bytes }: ShownPiece) => ({
    bytes: bytes.byteLength,
    versionId: undefined,
    contentType: mediaType,
  });
  return {
    staged,
    async head({ key }) {
      return kept.has(key) ? head(staged(key)) : null;
    },
    async read({ bucket, key }, maxBytes) {
      const piece = bucket === resultsBucket ? staged(key) : { mediaType: "", bytes: file };
      if (piece.bytes.byteLength > maxBytes) throw permanent("object-too-large", `over ${maxBytes} bytes`);
      return { bytes: piece.bytes, head: head(piece) };
    },
    stream: async () => ReadableStream.from([file]),
    async write({ key }, body, mediaType) {
      if (body instanceof Uint8Array) kept.set(key, { mediaType, bytes: body });
      else if (typeof body === "string") kept.set(key, { mediaType, bytes: new TextEncoder().encode(body) });
    },
    async *list() {},
  };
};

const noCache: GistStore = {
  lease: async () => ({ kind: "leased" }),
  put: async () => undefined,
  release: async () => undefined,
};

const openGate = (endpoint: EndpointName): VideoPorts["gates"]["captioner"] => ({
  endpoint,
  admit: async () => ({ kind: "admitted", pass: { call: (make) => make(), leave: async () => undefined } }),
  look: async () => null,
});
