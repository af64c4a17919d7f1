/** What a picture that could not be described means for its sample, by the template's media policy. */
import type { MediaProblem } from "../../schema/gist.ts";
import type { Outcome, Reason } from "../../schema/outcome.ts";
import type { Template } from "../../schema/template.ts";
import { faultRules } from "../describe/picture-fault.ts";

export type MediaVerdict =
  /** Judge it, with these doubts on record. */
  | { readonly kind: "go-on"; readonly doubts: readonly Reason[] }
  | {
      readonly kind: "end";
      readonly outcome: Extract<Outcome, "invalid" | "review">;
      readonly reasons: readonly Reason[];
    };

/**
 * A missing or unreadable picture is the submission's fault. One that we failed to describe, or whose format we do not
 * read, is ours: it goes to a person and never counts as invalid.
 */
export const judgeMedia = (
  problems: readonly MediaProblem[],
  policy: Template["media"]["whenUnreadable"],
): MediaVerdict => {
  if (problems.length === 0) return { kind: "go-on", doubts: [] };
  const reasons = problems.map(reasonOf);
  const ours = problems.filter((problem) => problem.kind === "undescribed");
  if (ours.length === problems.length) return { kind: "end", outcome: "review", reasons };
  switch (policy) {
    case "invalid":
      return { kind: "end", outcome: problems.every(isOurs) ? "review" : "invalid", reasons };
    case "review":
      return { kind: "end", outcome: "review", reasons };
    case "text-only":
      return ours.length > 0 ? { kind: "end", outcome: "review", reasons } : { kind: "go-on", doubts: [] };
    default:
      return policy satisfies never;
  }
};

const isOurs = ({ kind, fault }: MediaProblem): boolean =>
  kind === "undescribed" || (fault !== undefined && faultRules[fault.name].blame === "reader");

const reasonOf = (problem: MediaProblem): Reason => {
  const { fault } = problem;
  return { ...plainReason(problem), ...(fault === undefined ? {} : { fault }) };
};

const plainReason = ({ ref, kind, message }: MediaProblem): Reason => {
  const detail = `${ref}: ${message}`.slice(0, 400);
  switch (kind) {
    case "missing":
      return { code: "media-missing", detail };
    case "unreadable":
    case "unsupported":
    case "too-large":
    case "refused":
      return { code: "media-unreadable", detail };
    case "undescribed":
      return { code: "media-undescribed", detail };
    default:
      return kind satisfies never;
  }
};
