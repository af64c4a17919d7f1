/** The content type that an uploaded file is stored with. */
import path from "node:path";

const types: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".png": "image/png",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".bmp": "image/bmp",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
  ".avif": "image/avif",
  ".heic": "image/heic",
  ".svg": "image/svg+xml",
  ".mp4": "video/mp4",
  ".mov": "video/quicktime",
  ".webm": "video/webm",
  ".jsonl": "application/jsonl",
  ".gz": "application/gzip",
  ".csv": "text/csv",
  ".yaml": "application/yaml",
  ".txt": "text/plain",
  ".md": "text/markdown",
  ".pdf": "application/pdf",
};

export const contentTypeOf = (file: string): string =>
  types[path.extname(file).toLowerCase()] ?? "application/octet-stream";
