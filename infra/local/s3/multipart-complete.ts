/** CompleteMultipartUpload: checks the list of parts and joins them into one object. */
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { readDocument, spoolStream } from "./body.ts";
import {
  type ChecksumAlgorithm,
  type Checksums,
  checksumAlgorithms,
  checksumHeaders,
  digestOf,
} from "./checksum.ts";
import { writeCondition } from "./conditions.ts";
import { uploadIdOf } from "./multipart-operations.ts";
import type { StoredPart, Upload } from "./multipart-store.ts";
import { publish, versionHeader } from "./object-write.ts";
import type { S3Context } from "./operation.ts";
import { type Reply, xmlReply } from "./reply.ts";
import { headerOf, type S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import {
  childrenOf,
  parseXml,
  refuseUnknownChildren,
  requiredText,
  textOf,
  type XmlElement,
} from "./xml-read.ts";
import { leaf } from "./xml-write.ts";

/** S3's minimum for every part but the last. */
const minPartBytes = 5 * 1024 ** 2;

/** CompleteMultipartUpload. */
export async function completeUpload(context: S3Context, request: S3Request): Promise<Reply> {
  const bucket = context.catalog.bucket(request.bucket);
  const upload = bucket.uploads.get(uploadIdOf(request), request.key);
  const check = writeCondition(request);
  const parts = chooseParts(parseXml(await readDocument(request), "CompleteMultipartUpload"), upload);
  checkObjectSize(headerOf(request, "x-amz-mp-object-size"), parts);
  check(bucket.currentObject(request.key));
  const bytes = Readable.from(bucket.uploads.read(upload, parts), { objectMode: false });
  const joined = await spoolStream(bytes, context.catalog.spool, { checksums: {}, computed: [] });
  const { headers, metadata, checksum } = upload.plan;
  const checksums = checksum === "NONE" ? {} : compositeChecksum(checksum, parts);
  const draft = {
    key: request.key,
    etag: compositeEtag(parts),
    body: { ...joined, checksums },
    headers,
    metadata,
  };
  const object = await publish(context, request, draft, "s3:ObjectCreated:CompleteMultipartUpload", check);
  // Last: a client whose queue could not be reached may complete the same upload again.
  bucket.uploads.remove(upload.id);
  const content = [
    leaf("Location", `/${bucket.name}/${encodeURIComponent(object.key)}`),
    leaf("Bucket", bucket.name),
    leaf("Key", object.key),
    leaf("ETag", `"${object.etag}"`),
    ...Object.entries(checksums).map(([algorithm, value]) => leaf(`Checksum${algorithm}`, value)),
  ];
  return xmlReply("CompleteMultipartUploadResult", content, {
    ...versionHeader(object),
    ...checksumHeaders(checksums),
  });
}

/** The stored parts the client names, in its order. Throws InvalidPart, InvalidPartOrder, EntityTooSmall. */
function chooseParts(root: XmlElement, upload: Upload): StoredPart[] {
  refuseUnknownChildren(root, ["Part"], "CompleteMultipartUpload");
  const parts = childrenOf(root, "Part").map((element) => choosePart(element, upload));
  if (parts.length === 0)
    throw new S3Error("MalformedXML", "CompleteMultipartUpload needs at least one <Part>.");
  for (const [index, part] of parts.entries()) {
    const next = parts[index + 1];
    if (next === undefined) break;
    if (next.number <= part.number) {
      throw new S3Error("InvalidPartOrder", "The list of parts was not in ascending order.");
    }
    if (part.size < minPartBytes) {
      throw new S3Error(
        "EntityTooSmall",
        `Part ${part.number} has ${part.size} bytes; ${minPartBytes} are required.`,
      );
    }
  }
  return parts;
}

function choosePart(element: XmlElement, upload: Upload): StoredPart {
  const checksumNames = checksumAlgorithms.map((algorithm) => `Checksum${algorithm}`);
  refuseUnknownChildren(element, ["PartNumber", "ETag", ...checksumNames], "CompleteMultipartUpload");
  const part = upload.parts.get(Number(requiredText(element, "PartNumber")));
  const etag = requiredText(element, "ETag").replaceAll('"', "");
  const sameChecksums = checksumAlgorithms.every((algorithm) => {
    const named = textOf(element, `Checksum${algorithm}`);
    return named === undefined || named === part?.checksums[algorithm];
  });
  if (part === undefined || part.etag !== etag || !sameChecksums) {
    throw new S3Error(
      "InvalidPart",
      `Part ${textOf(element, "PartNumber")} was not uploaded or is another one.`,
    );
  }
  return part;
}

function checkObjectSize(declared: string | undefined, parts: readonly StoredPart[]): void {
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  if (declared !== undefined && Number(declared) !== size) {
    throw new S3Error(
      "InvalidRequest",
      `x-amz-mp-object-size is ${declared}, but the parts have ${size} bytes.`,
    );
  }
}

/** MD5 of the parts' MD5s, and their number. */
function compositeEtag(parts: readonly StoredPart[]): string {
  const md5 = createHash("md5");
  for (const part of parts) md5.update(Buffer.from(part.etag, "hex"));
  return `${md5.digest("hex")}-${parts.length}`;
}

/** Checksum of the parts' checksums, and their number. Throws InvalidRequest if a part came without. */
function compositeChecksum(algorithm: ChecksumAlgorithm, parts: readonly StoredPart[]): Checksums {
  const digests = parts.map((part) => {
    const value = part.checksums[algorithm];
    if (value === undefined) {
      throw new S3Error(
        "InvalidRequest",
        `The upload was created using ${algorithm}; part ${part.number} lacks it.`,
      );
    }
    return Buffer.from(value, "base64");
  });
  return { [algorithm]: `${digestOf(algorithm, Buffer.concat(digests)).toString("base64")}-${parts.length}` };
}
