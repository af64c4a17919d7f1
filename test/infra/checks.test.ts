/** The checks that run before a deployment find nothing; what was accepted carries a date and a reason. */
import { Validations } from "aws-cdk-lib";
import { AwsSolutionsChecks } from "cdk-nag";
import { describe, expect, test } from "vitest";
import { checkStacks } from "../../infra/app.ts";
import { stubApp } from "./declared.ts";

describe.each(["dev", "prod"])("%s", (stage) => {
  const app = stubApp({ stage, mediaBuckets: "photos" });
  app.synth();

  test("cdk-nag's AwsSolutions has no finding", () => {
    const { violations } = new AwsSolutionsChecks().validateScope(app);
    const findings = violations.map(({ ruleName, violatingResources }) => [
      ruleName,
      violatingResources.map((resource) => Object(resource).constructPath),
    ]);
    expect(findings).toEqual([]);
  });

  test("every accepted rule says when and why", () => {
    const reasons = app.node
      .findAll()
      .flatMap(({ node }) =>
        node.metadata
          .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
          .flatMap(({ data }) => Object.values(Object(data))),
      );
    expect(reasons.length).toBeGreaterThan(0);
    for (const reason of reasons) expect(JSON.stringify(reason)).toMatch(/20\d\d-[01]\d-[0-3]\d: \S.{20,}/);
  });
});

test("a checked synthesis passes CloudFormation's own rules", async () => {
  const app = stubApp({ stage: "prod" });
  await checkStacks(app);
  expect(app.synth().stacks).toHaveLength(4);
});
