/** Finds the directory behind a function's or a layer's code in the assembly. */
import { NotSimulatedError } from "../not-simulated.ts";
import type { ResourceContext } from "./resource.ts";

/** The unzipped asset that `objectKey` would be uploaded as; throws for keys that are no CDK directory asset. */
export function assetDirectory(objectKey: string, { world, place }: ResourceContext): string {
  const asset = world.assets.files.get(objectKey);
  if (asset?.packaging !== "zip")
    throw new NotSimulatedError(
      place,
      `its code ${objectKey} is not a directory asset of this assembly.`,
      "Build it with Code.fromAsset on a directory.",
    );
  return asset.path;
}
