// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders are Fn::Sub's own syntax
import { describe, expect, test } from "vitest";
import { evaluateConditions } from "../../infra/local/assembly/conditions.ts";
import { creationOrder } from "../../infra/local/assembly/creation-order.ts";
import { resolve, type Scope } from "../../infra/local/assembly/intrinsics.ts";
import { templateSchema } from "../../infra/local/assembly/template.ts";
import { isAllowed } from "../../infra/local/iam/permission-check.ts";
import { policyDocumentSchema, readStatements } from "../../infra/local/iam/policy.ts";
import { requiredPermissions } from "../../infra/local/iam/required-permission.ts";
import { readEmf } from "../../infra/local/metrics/emf.ts";
import { createMetrics } from "../../infra/local/metrics/metrics.ts";

function scope(template: object = {}): Scope {
  const base: Scope = {
    template: templateSchema.parse(template),
    pseudo: { region: "us-east-1", account: "000000000000", stackName: "S" },
    created: new Map([["Queue", { ref: "http://q", attributes: { Arn: "arn:q", "Nested.Name": "n" } }]]),
    conditions: new Map(),
    localise: (text) => text.replace("https://cloud", "http://local"),
    exports: new Map([["Shared", "value"]]),
  };
  return { ...base, conditions: evaluateConditions(base) };
}

describe("intrinsic functions", () => {
  const template = {
    Parameters: {
      Size: { Type: "Number", Default: 3 },
      Ami: { Type: "AWS::SSM::Parameter::Value<String>", Default: "/a" },
    },
    Conditions: {
      InEast: { "Fn::Equals": [{ Ref: "AWS::Region" }, "us-east-1"] },
      Neither: { "Fn::Not": [{ "Fn::Or": [{ Condition: "InEast" }, { "Fn::Equals": ["a", "b"] }] }] },
    },
  };
  const cases: Array<[unknown, unknown]> = [
    [{ Ref: "Queue" }, "http://q"],
    [{ Ref: "Size" }, "3"],
    [{ "Fn::GetAtt": ["Queue", "Arn"] }, "arn:q"],
    [{ "Fn::GetAtt": "Queue.Nested.Name" }, "n"],
    [{ "Fn::Join": ["-", ["a", { Ref: "AWS::Partition" }]] }, "a-aws"],
    [{ "Fn::Sub": "${AWS::StackName}/${Queue.Arn}/${!Kept}" }, "S/arn:q/${Kept}"],
    [{ "Fn::Sub": ["${x}-${Queue}", { x: { Ref: "AWS::AccountId" } }] }, "000000000000-http://q"],
    [{ "Fn::Select": [1, { "Fn::Split": [":", { "Fn::GetAtt": ["Queue", "Arn"] }] }] }, "q"],
    [{ "Fn::ImportValue": "Shared" }, "value"],
    [{ "Fn::If": ["InEast", "yes", "no"] }, "yes"],
    [
      { a: { "Fn::If": ["Neither", "yes", { Ref: "AWS::NoValue" }] }, b: [1, { Ref: "AWS::NoValue" }] },
      { b: [1] },
    ],
    [{ "Fn::Join": ["", ["https://cloud", "/x"]] }, "http://local/x"],
  ];
  test.each(cases)("%j", (value, expected) => expect(resolve(value, scope(template))).toEqual(expected));

  const refused: Array<[unknown, RegExp]> = [
    [{ Ref: "Nowhere" }, /Nowhere, which this stack does not create/],
    [{ Ref: "Ami" }, /parameter Ami .* has no value here/],
    [{ "Fn::GetAtt": ["Queue", "Colour"] }, /attribute Colour of Queue is not simulated/],
    [{ "Fn::Cidr": ["10.0.0.0/8"] }, /intrinsic Fn::Cidr is not simulated/],
    [{ "Fn::ImportValue": "Missing" }, /exports Missing/],
    [{ Ref: "AWS::NotificationARNs" }, /pseudo parameter AWS::NotificationARNs is not simulated/],
  ];
  test.each(refused)("%j is refused", (value, message) =>
    expect(() => resolve(value, scope(template))).toThrow(message),
  );

  test("resources come after what they refer to, and a circle is named", () => {
    const resources = (properties: Record<string, object>) =>
      templateSchema.parse({
        Resources: Object.fromEntries(
          Object.entries(properties).map(([id, Properties]) => [id, { Type: "T", Properties }]),
        ),
      }).Resources;
    expect(
      creationOrder(resources({ A: { x: { "Fn::Sub": "${B.Arn}" } }, B: { y: [{ Ref: "C" }] }, C: {} })),
    ).toEqual(["C", "B", "A"]);
    expect(() =>
      creationOrder(resources({ A: { x: { Ref: "B" } }, B: { x: { "Fn::GetAtt": ["A", "Arn"] } } })),
    ).toThrow(/A → B → A/);
  });
});

describe("permissions", () => {
  const statements = readStatements(
    policyDocumentSchema.parse({
      Statement: [
        {
          Effect: "Allow",
          Action: ["s3:Get*", "s3:List*"],
          Resource: ["arn:aws:s3:::up", "arn:aws:s3:::up/inbox/*"],
        },
        { Effect: "Allow", Action: "dynamodb:*", Resource: "arn:aws:dynamodb:us-east-1:0:table/T/index/*" },
        { Effect: "Deny", Action: "s3:GetObject", Resource: "arn:aws:s3:::up/inbox/secret*" },
      ],
    }),
  );
  const call = { caller: "f", requestBytes: 0 };
  const cases: Array<[Parameters<typeof requiredPermissions>[0], boolean]> = [
    [{ ...call, service: "s3", operation: "GetObject", resource: "up/inbox/a b" }, true],
    [{ ...call, service: "s3", operation: "HeadObject", resource: "up/inbox/a" }, true],
    [{ ...call, service: "s3", operation: "ListObjectsV2", resource: "up" }, true],
    [{ ...call, service: "s3", operation: "GetObject", resource: "up/other" }, false],
    [{ ...call, service: "s3", operation: "GetObject", resource: "up/inbox/secret.txt" }, false],
    [{ ...call, service: "s3", operation: "UploadPart", resource: "up/inbox/a" }, false],
    [{ ...call, service: "dynamodb", operation: "Query", resource: "T", index: "byX" }, true],
    [{ ...call, service: "dynamodb", operation: "Query", resource: "T" }, false],
  ];
  test.each(cases)("%j: %s", (made, allowed) => {
    expect(requiredPermissions(made, "us-east-1", "0").every((each) => isAllowed(statements, each))).toBe(
      allowed,
    );
  });
});

describe("embedded metric format", () => {
  const line = (metrics: object[], members: object, dimensions: string[][] = [[]]) =>
    JSON.stringify({
      _aws: {
        Timestamp: 1,
        CloudWatchMetrics: [{ Namespace: "N", Dimensions: dimensions, Metrics: metrics }],
      },
      ...members,
    });

  test("adds values up per exact set of dimensions", () => {
    const metrics = createMetrics();
    for (const text of [
      line([{ Name: "M" }], { M: 2 }),
      line([{ Name: "M" }], { M: [3, 4] }),
      line([{ Name: "M" }], { M: 1, Task: "t", Kind: "k" }, [["Task"], ["Task", "Kind"]]),
    ]) {
      const read = readEmf(text);
      if (read.kind === "metrics") for (const point of read.datapoints) metrics.add(point);
    }
    expect(metrics.sum("N", "M")).toBe(9);
    expect(metrics.sum("N", "M", { Kind: "k", Task: "t" })).toBe(1);
    expect(metrics.sum("N", "M", { Kind: "k" })).toBe(0);
    expect(metrics.all()).toHaveLength(3);
  });

  const invalid: Array<[string, string, RegExp]> = [
    [
      "101 metrics",
      line(
        Array.from({ length: 101 }, (_, i) => ({ Name: `M${i}` })),
        {},
      ),
      /more than 100 metrics/,
    ],
    ["101 values", line([{ Name: "M" }], { M: Array(101).fill(1) }), /metric M/],
    ["a metric without value", line([{ Name: "M" }], {}), /metric M/],
    ["a dimension without value", line([{ Name: "M" }], { M: 1 }, [["Task"]]), /dimension Task/],
  ];
  test.each(invalid)("refuses %s", (_, text, why) => {
    expect(readEmf(text)).toMatchObject({ kind: "invalid", why: expect.stringMatching(why) });
  });
  test("leaves ordinary lines alone", () => expect(readEmf('{"level":"INFO"}')).toEqual({ kind: "not-emf" }));
});
