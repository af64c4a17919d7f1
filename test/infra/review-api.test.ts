/** The review API: its routes, and that nobody gets in without IAM credentials. */
import { expect, test } from "vitest";
import { declare } from "./declared.ts";

const routes = declare({}).ofType("AWS::ApiGatewayV2::Route");

test("has the documented routes", () => {
  expect(routes.map(({ properties }) => properties.RouteKey).sort()).toEqual([
    "GET /v1/reviews",
    "GET /v1/reviews/{id}",
    "POST /v1/reviews/claim",
    "POST /v1/reviews/heartbeat",
    "POST /v1/reviews/release",
    "POST /v1/reviews/verdict",
  ]);
});

test.each(routes)("$properties.RouteKey asks for a signature", ({ properties }) => {
  expect(properties.AuthorizationType).toBe("AWS_IAM");
});
