/** Least privilege, read from the templates: what a role may do is what its hop does. */
import { type HopName, hops } from "@touchstone/core/pipeline";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { declare, refersTo } from "./declared.ts";

const statementSchema = z.looseObject({
  Effect: z.enum(["Allow", "Deny"]),
  Action: z.union([z.string().transform((action) => [action]), z.array(z.string())]),
  Resource: z.unknown().transform((resource) => (Array.isArray(resource) ? resource : [resource])),
});
const policySchema = z.looseObject({
  PolicyDocument: z.looseObject({ Statement: z.array(statementSchema) }),
});

/** Actions that know no resource, with the reason why they are granted. */
const withoutResource: Readonly<Record<string, string>> = {
  "ecr:GetAuthorizationToken": "logs in to the registry; what may be pulled is one repository",
};

const app = declare({ stage: "prod" });
const statementsBelow = (start: string) =>
  app
    .ofType("AWS::IAM::Policy")
    .filter(({ path }) => path.startsWith(start))
    .flatMap(({ properties }) => policySchema.parse(properties).PolicyDocument.Statement);
const allowed = statementsBelow("").filter(({ Effect }) => Effect === "Allow");

test("no action is a wildcard", () => {
  expect(allowed.flatMap(({ Action }) => Action).filter((action) => action.includes("*"))).toEqual([]);
});

test('Resource "*" stands only where an action knows no resource', () => {
  const unscoped = allowed.filter(({ Resource }) => Resource.includes("*")).flatMap(({ Action }) => Action);
  expect(unscoped.filter((action) => withoutResource[action] === undefined)).toEqual([]);
});

test("a wildcard in a resource stands behind a key prefix or a log group's", () => {
  const wildcards = allowed
    .flatMap(({ Resource }) => Resource)
    .filter((resource) => resource !== "*")
    .map((resource) => JSON.stringify(resource))
    .filter((resource) => resource.includes("*"));
  expect(wildcards.length).toBeGreaterThan(0);
  for (const resource of wildcards)
    expect(resource).toMatch(/\/(inbox|templates|staging|results|aws\/sagemaker\/Endpoints)\/\*/);
});

test("no role carries a managed policy", () => {
  for (const { properties } of app.ofType("AWS::IAM::Role"))
    expect(properties.ManagedPolicyArns).toBeUndefined();
});

const queueOf = (name: string) => {
  const found = app
    .ofType("AWS::SQS::Queue")
    .find(({ path }) => path.toLowerCase() === `${name}queue/queue/resource`);
  if (found === undefined) throw new Error(`no queue ${name}`);
  return found;
};
const queueNames = ["uploads", "describe", "score", "settle", "review", "learn"];

describe.each(Object.keys(hops) as HopName[])("%s", (hop) => {
  const own = statementsBelow(`${hop[0]?.toUpperCase()}${hop.slice(1)}/Role/`);
  const resourcesOf = (action: string): string[] =>
    own
      .filter(({ Action }) => Action.includes(action))
      .flatMap(({ Resource }) => Resource.map((one) => JSON.stringify(one)));
  const prefixesOf = (action: string): string[] =>
    [
      ...new Set(
        resourcesOf(action).flatMap(
          (resource) => /(uploads|results)-.*\/(\w+)\/\*/.exec(resource)?.slice(1).join(":") ?? [],
        ),
      ),
    ].sort();
  const queuesOf = (action: string): string[] =>
    queueNames.filter((name) =>
      resourcesOf(action).some((resource) => refersTo(JSON.parse(resource), queueOf(name))),
    );

  test("sends where the hop table says, receives from the queue it reads", () => {
    expect(queuesOf("sqs:SendMessage").sort()).toEqual([...hops[hop].sends].sort());
    expect(queuesOf("sqs:ReceiveMessage")).toEqual(hops[hop].reads === null ? [] : [hops[hop].reads]);
  });

  test("reads and writes objects below its prefixes", () => {
    const expected: Record<HopName, { read: string[]; write: string[] }> = {
      intake: { read: ["uploads:inbox", "uploads:templates"], write: ["results:staging"] },
      describe: {
        read: ["results:staging", "uploads:inbox", "uploads:templates"],
        write: ["results:staging"],
      },
      score: {
        read: ["results:staging", "uploads:inbox", "uploads:templates"],
        write: ["results:staging"],
      },
      settle: { read: ["results:results"], write: ["results:results"] },
      review: { read: ["results:staging", "uploads:templates"], write: [] },
      learn: { read: ["uploads:templates"], write: [] },
      sweep: { read: ["uploads:inbox", "uploads:templates"], write: ["results:staging"] },
    };
    expect({ read: prefixesOf("s3:GetObjectVersion"), write: prefixesOf("s3:PutObject") }).toEqual(
      expected[hop],
    );
    expect(prefixesOf("s3:GetObject")).toEqual(expected[hop].read);
  });

  test("can tell a missing object from a forbidden one wherever it reads", () => {
    const buckets = (action: string): string[] => [
      ...new Set(
        resourcesOf(action).flatMap((resource) => /touchstone-prod-(\w+)-/.exec(resource)?.[1] ?? []),
      ),
    ];
    expect(buckets("s3:ListBucket").sort()).toEqual(buckets("s3:GetObject").sort());
  });

  test("invokes an endpoint only to choose an image strategy", () => {
    expect(resourcesOf("sagemaker:InvokeEndpoint")).toHaveLength(hop === "describe" ? 1 : 0);
  });

  test("writes together in one table at most, and reads nothing by PartiQL", () => {
    const together = hop === "score" ? ["dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"] : [];
    const granted = own.flatMap(({ Action }) => Action).filter((action) => action.includes("PartiQL"));
    expect(granted).toEqual(together);
    for (const action of together)
      expect(resourcesOf(action)).toEqual([expect.stringMatching(/SamplesTable/)]);
  });

  test("deletes nothing", () => {
    const deleting = own.flatMap(({ Action }) => Action).filter((action) => /:Delete/.test(action));
    expect(deleting.filter((action) => action !== "sqs:DeleteMessage")).toEqual([]);
  });
});

test("buckets of media are read by DESCRIBE alone, and written by nobody", () => {
  const reading = declare({ mediaBuckets: "photos" })
    .ofType("AWS::IAM::Policy")
    .filter(({ properties }) => JSON.stringify(properties).includes(":s3:::photos"));
  expect(reading.map(({ path }) => path.split("/")[0])).toEqual(["Describe"]);
  const actions = reading
    .flatMap(({ properties }) => policySchema.parse(properties).PolicyDocument.Statement)
    .filter(({ Resource }) => JSON.stringify(Resource).includes(":s3:::photos"))
    .flatMap(({ Action }) => Action);
  expect(actions.sort()).toEqual(["s3:GetObject", "s3:GetObjectVersion", "s3:ListBucket"]);
});

test("a judge behind SageMaker may be invoked by SCORE, by its own name", () => {
  const score = declare({ judgeUrl: "sagemaker:My-Judge" })
    .ofType("AWS::IAM::Policy")
    .find(({ path }) => path.startsWith("Score/"));
  expect(JSON.stringify(score?.properties)).toMatch(/"sagemaker:InvokeEndpoint".*endpoint\/my-judge/);
});

test("only a judge that streams may be called so", () => {
  const actions = (judgeUrl: string): string => {
    const score = declare({ judgeUrl })
      .ofType("AWS::IAM::Policy")
      .find(({ path }) => path.startsWith("Score/"));
    return JSON.stringify(score?.properties ?? "");
  };
  const streamed = "sagemaker:InvokeEndpointWithResponseStream";
  expect(actions("stream+sagemaker:My-Judge")).toMatch(new RegExp(`"${streamed}".*endpoint/my-judge`));
  expect(actions("sagemaker:My-Judge")).not.toContain(streamed);
  expect(actions("stream+https://judge.example/v1")).not.toContain("sagemaker:");
});
