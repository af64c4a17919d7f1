/** Where the assembly keeps what it would upload: file assets by object key, container images by tag. */
import path from "node:path";
import * as z from "zod";

const assetManifestSchema = z.looseObject({
  files: z
    .record(
      z.string(),
      z.looseObject({
        source: z.looseObject({ path: z.string().optional(), packaging: z.string().optional() }),
        destinations: z.record(z.string(), z.looseObject({ objectKey: z.string() })),
      }),
    )
    .default({}),
  dockerImages: z
    .record(
      z.string(),
      z.looseObject({
        source: z.looseObject({ directory: z.string().optional() }),
        destinations: z.record(z.string(), z.looseObject({ imageTag: z.string() })),
      }),
    )
    .default({}),
});

export interface FileAsset {
  readonly path: string;
  /** `zip`: a directory that would be zipped; `file`: one file as it is. */
  readonly packaging: string;
}

export interface AssetIndex {
  readonly files: Map<string, FileAsset>;
  /** Image tag → build directory. */
  readonly images: Map<string, string>;
}

/** Adds the entries of one `*.assets.json` (already parsed) to the index. */
export function readAssetManifest(directory: string, content: unknown, into: AssetIndex): void {
  const manifest = assetManifestSchema.parse(content);
  for (const { source, destinations } of Object.values(manifest.files)) {
    if (source.path === undefined) continue;
    const asset = { path: path.resolve(directory, source.path), packaging: source.packaging ?? "file" };
    for (const { objectKey } of Object.values(destinations)) into.files.set(objectKey, asset);
  }
  for (const { source, destinations } of Object.values(manifest.dockerImages)) {
    if (source.directory === undefined) continue;
    for (const { imageTag } of Object.values(destinations))
      into.images.set(imageTag, path.resolve(directory, source.directory));
  }
}
