/** The errors S3 answers with. Operations throw them; `server.ts` turns them into XML. */

const statusByCode = {
  AccessDenied: 403,
  BadDigest: 400,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidURI: 400,
  KeyTooLongError: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchKey: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NotImplemented: 501,
  PreconditionFailed: 412,
  XAmzContentSHA256Mismatch: 400,
} as const;

export type S3ErrorCode = keyof typeof statusByCode;

export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  /** Headers that belong to the refusal itself, e.g. `x-amz-delete-marker`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: S3ErrorCode, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = "S3Error";
    this.code = code;
    this.status = statusByCode[code];
    this.headers = headers;
  }
}
