/** The synthesised application over stub parts, resource by resource; synthesised once per test file. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import * as z from "zod";
import { declareApp } from "../../infra/app.ts";
import { configFrom } from "../../infra/config.ts";

const stub = path.join(import.meta.dirname, "stub");

const resourceSchema = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
  DependsOn: z.array(z.string()).default([]),
  DeletionPolicy: z.string().optional(),
  Metadata: z.looseObject({ "aws:cdk:path": z.string().default("") }).prefault({}),
});
const templateSchema = z.looseObject({
  Resources: z.record(z.string(), resourceSchema).default({}),
  Outputs: z.record(z.string(), z.looseObject({ Value: z.unknown() })).default({}),
});

export interface Declared {
  readonly id: string;
  readonly type: string;
  /** Below the stack, such as `Score/Function/Resource`. */
  readonly path: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly dependsOn: readonly string[];
  readonly deletionPolicy: string | undefined;
}

export interface DeclaredApp {
  readonly resources: readonly Declared[];
  readonly outputs: readonly string[];
  ofType(type: string): readonly Declared[];
}

/** A directory that is gone after the test, or after the file where no test runs yet. */
export const scratch = (below = tmpdir()): string => {
  const directory = mkdtempSync(path.join(below, "touchstone-infra-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  if (expect.getState().currentTestName === undefined) afterAll(remove);
  else onTestFinished(remove);
  return directory;
};

/** The application without a synthesis, for whatever a configuration context asks for. */
export const stubApp = (context: Readonly<Record<string, unknown>>) =>
  declareApp(configFrom(context), scratch(), {
    bundleOf: () => path.join(stub, "bundle"),
    layers: { core: path.join(stub, "layer"), media: path.join(stub, "layer") },
    nativeCpu: "arm64",
    strategyImage: path.join(stub, "image"),
  });

export const declare = (context: Readonly<Record<string, unknown>>): DeclaredApp => {
  const templates = stubApp(context)
    .synth()
    .stacks.map((stack) => templateSchema.parse(stack.template));
  const resources = templates.flatMap(({ Resources }) =>
    Object.entries(Resources).map(([id, resource]) => ({
      id,
      type: resource.Type,
      path: resource.Metadata["aws:cdk:path"].split("/").slice(1).join("/"),
      properties: resource.Properties,
      dependsOn: resource.DependsOn,
      deletionPolicy: resource.DeletionPolicy,
    })),
  );
  return {
    resources,
    outputs: templates.flatMap(({ Outputs }) => Object.keys(Outputs)),
    ofType: (type) => resources.filter((resource) => resource.type === type),
  };
};

/** True where a property refers to the resource, in its own stack or through an export of another one. */
export const refersTo = (value: unknown, { id }: Declared): boolean =>
  new RegExp(`"${id}"|(Ref|GetAtt)${id}[A-Z]`).test(JSON.stringify(value ?? null));

/** The numeric property; fails the test where there is none. */
export const numberAt = ({ properties, path: where }: Declared, name: string): number => {
  const value = properties[name];
  if (typeof value !== "number") throw new Error(`${where}: ${name} is not a number`);
  return value;
};

/** The one resource of the list that the property refers to. */
export const referredBy = (value: unknown, among: readonly Declared[]): Declared => {
  const [found, ...others] = among.filter((candidate) => refersTo(value, candidate));
  if (found === undefined || others.length > 0)
    throw new Error(`${JSON.stringify(value)} refers to ${others.length + (found ? 1 : 0)} of the resources`);
  return found;
};
