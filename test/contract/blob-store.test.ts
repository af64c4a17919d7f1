/** The blob store contract against memory and S3. */
import { afterAll, beforeAll } from "vitest";
import { s3BlobStore } from "../../functions/_aws/s3-blob-store.ts";
import { memoryBlobStore } from "../memory/memory-blob-store.ts";
import { blobStoreContract } from "./blob-store-contract.ts";
import { type LocalS3, startLocalS3 } from "./local-s3.ts";

let s3: LocalS3;
beforeAll(async () => {
  s3 = await startLocalS3();
});
afterAll(() => s3.close());

const memory = memoryBlobStore();
blobStoreContract("memory", () => memory);
blobStoreContract("S3", () => s3BlobStore(s3.client));
