/** Functions as they are deployed: runtime, processor, layers, and exactly the environment their handler reads. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { type HopName, hops } from "@touchstone/core/pipeline";
import { describe, expect, test } from "vitest";
import { declare, referredBy } from "./declared.ts";

const hopNames = Object.keys(hops) as HopName[];
const app = declare({ stage: "prod" });
const functions = app.ofType("AWS::Lambda::Function");
const functionOf = (hop: HopName) => {
  const found = functions.find((lambda) => lambda.path.toLowerCase().startsWith(`${hop}/`));
  if (found === undefined) throw new Error(`no function for ${hop}`);
  return found;
};
const variablesOf = (hop: HopName): string[] =>
  Object.keys(Object(Object(functionOf(hop).properties.Environment).Variables));

test("there is one function for each hop", () => {
  expect(functions).toHaveLength(hopNames.length);
});

describe.each(hopNames)("%s", (hop) => {
  test("runs the ES module bundle on Node 24 and arm64, with a log group of its own", () => {
    expect(functionOf(hop).properties).toMatchObject({
      Runtime: "nodejs24.x",
      Architectures: ["arm64"],
      Handler: "index.handler",
      LoggingConfig: { LogGroup: expect.anything() },
      Environment: {
        Variables: {
          POWERTOOLS_SERVICE_NAME: hop,
          POWERTOOLS_METRICS_NAMESPACE: "Touchstone",
          NODE_OPTIONS: expect.stringContaining("--enable-source-maps"),
          TIME_SCALE: "1",
        },
      },
    });
  });

  test("loads the core layer, and the media layer only where it handles pictures", () => {
    const layers = app.ofType("AWS::Lambda::LayerVersion");
    const loaded = (functionOf(hop).properties.Layers as unknown[]).map(
      (layer) => referredBy(layer, layers).path.split("/")[1],
    );
    expect(loaded).toEqual(hop === "describe" ? ["Core", "Media"] : ["Core"]);
  });

  test("has every variable its handler reads, and no other", () => {
    const source = readFileSync(
      path.resolve(import.meta.dirname, "../../functions", hop, "handler.ts"),
      "utf8",
    );
    const call = /readEnvironment\(([^)]*)\)/.exec(source)?.[1] ?? "";
    const read = [...call.matchAll(/"([A-Z_]+)"/g)].map(([, name]) => name);
    const optional = [...source.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name]) => name);
    const general = ["TIME_SCALE", "POWERTOOLS_SERVICE_NAME", "POWERTOOLS_METRICS_NAMESPACE", "NODE_OPTIONS"];
    expect(variablesOf(hop).sort()).toEqual([...read, ...optional, ...general].sort());
  });

  test("may send to its own queue only where the hop table says so", () => {
    const { reads, sends } = hops[hop];
    const loops = sends.some((queue) => queue === reads);
    expect(functionOf(hop).properties.RecursiveLoop).toBe(loops ? "Allow" : undefined);
  });
});

test("on a laptop, functions are for the processor that the native parts were built for", () => {
  const [version] = app
    .ofType("AWS::Lambda::LayerVersion")
    .filter(({ path: where }) => where.includes("Media"));
  expect(version?.properties.CompatibleArchitectures).toEqual(["arm64"]);
});
