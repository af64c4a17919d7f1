/** Query parameters and XML that ListObjectsV2 and ListObjectVersions share. */
import { formEncodeKey } from "./key-encoding.ts";
import type { S3Request } from "./request.ts";
import { S3Error } from "./s3-error.ts";
import { element, leaf } from "./xml-write.ts";

/** S3's limit for one page, and its default. */
const maxPage = 1000;

export interface ListParameters {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  readonly encodingType: string | undefined;
  /** Applied to every key, prefix and delimiter in the answer. */
  readonly encode: (text: string) => string;
}

/** Reads a listing's parameters. Throws InvalidArgument. */
export function listParameters(request: S3Request): ListParameters {
  const { query } = request;
  const encodingType = query.get("encoding-type") ?? undefined;
  if (encodingType !== undefined && encodingType !== "url") {
    throw new S3Error("InvalidArgument", `Invalid Encoding Method specified in Request: ${encodingType}`);
  }
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    maxKeys: pageSize(query.get("max-keys"), "max-keys"),
    encodingType,
    encode: encodingType === "url" ? formEncodeKey : (text) => text,
  };
}

/** A page size of at most 1,000. Throws InvalidArgument. */
export function pageSize(value: string | null, name: string): number {
  if (value === null) return maxPage;
  if (!/^\d{1,10}$/.test(value)) {
    throw new S3Error("InvalidArgument", `${name} must be a whole number from 0, not "${value}".`);
  }
  return Math.min(Number(value), maxPage);
}

/** The leaves that repeat the request. */
export function echoedParameters(bucket: string, parameters: ListParameters): string[] {
  const { encode, delimiter } = parameters;
  return [
    leaf("Name", bucket),
    leaf("Prefix", encode(parameters.prefix)),
    leaf("Delimiter", delimiter === "" ? undefined : encode(delimiter)),
    leaf("MaxKeys", parameters.maxKeys),
    leaf("EncodingType", parameters.encodingType),
  ];
}

/** One rolled-up prefix. */
export function commonPrefixXml(name: string, parameters: ListParameters): string {
  return element("CommonPrefixes", leaf("Prefix", parameters.encode(name)));
}
