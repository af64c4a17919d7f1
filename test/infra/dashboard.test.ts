/** The dashboard answers finance's question first: how much was decided by machine. */
import { expect, test } from "vitest";
import { declare } from "./declared.ts";

const [dashboard] = declare({}).ofType("AWS::CloudWatch::Dashboard");
const body = JSON.stringify(dashboard?.properties.DashboardBody).replaceAll("\\", "");

test("shows machine ÷ (samples − invalid) over the metrics that SETTLE emits", () => {
  expect(body).toContain("100 * machine / (samples - invalid)");
  for (const metric of ["Machine", "Samples", "Invalid"]) expect(body).toContain(`"Touchstone","${metric}"`);
});

test("shows what is certified, what was lost to people and why, and certificates that ended", () => {
  for (const metric of ["Certified", "LostLowConfidence", "LostNoCertificate", "CertificatesVoided"])
    expect(body).toContain(`"Touchstone","${metric}"`);
});

test("shows the age of every queue and the depth of every dead-letter queue", () => {
  expect(body.match(/ApproximateAgeOfOldestMessage/g)).toHaveLength(6);
  expect(body).toContain("Dead letters");
});
