/** One verdict: does it disagree with the machine, must somebody look again, and is the certificate still good? */
import { isAudited } from "@touchstone/core/domain/decide/audit";
import { adjudicationOf, needsSecondLook } from "@touchstone/core/domain/review/adjudication";
import { hintOf, reviewIdOf } from "@touchstone/core/domain/review/answer-review";
import { observe } from "@touchstone/core/domain/trust/observed";
import { withAudit } from "@touchstone/core/domain/watch/watch";
import { permanent } from "@touchstone/core/errors";
import type { MessageSender, ReviewStore, SampleStore, TemplateStore } from "@touchstone/core/ports";
import type { VerdictMessage } from "@touchstone/core/schema/messages";
import type { ReviewHint } from "@touchstone/core/schema/review";
import { type VoidPorts, voidIfAlarmed } from "./void-certificate.ts";

export interface VerdictPorts extends VoidPorts {
  readonly samples: SampleStore;
  readonly reviews: ReviewStore;
  readonly templates: TemplateStore;
  readonly hints: MessageSender<ReviewHint>;
}

/**
 * Only the random stream counts, and of it what was accepted under the watched certificate. First looks are counted, at
 * once: what an adjudicator says later is the next certificate's business, and a team without one is watched as well.
 */
export const watchVerdict = async (message: VerdictMessage, ports: VerdictPorts): Promise<void> => {
  const { key, verdict, review } = message;
  if (review === "adjudicate") return;
  const [stored] = await ports.samples.read([key]);
  const result = stored?.result;
  if (!result)
    throw permanent("bad-message", `a verdict came for ${message.task}, whose result is not there`);
  if (result.template === null || result.confidence === undefined) return;
  const template = await ports.templates.pinned(result.template);
  if (!isAudited(result.sampleId, template.task, template.decision.auditRate)) return;
  const agrees = observe(result, template, { first: verdict, adjudicated: null })?.first ?? null;
  if (agrees === null) return;
  if (needsSecondLook(agrees, result.sampleId, template.task)) await openAdjudication(message, ports);
  const { certificate, certified, fingerprint } = result;
  if (!certified || !certificate) return;
  const event = { reviewId: reviewIdOf(key, review), isError: !agrees, at: verdict.at };
  const watch = await ports.trust.changeWatch(result.task, (standing) =>
    standing?.certificate === certificate.id && standing.fingerprint === fingerprint
      ? withAudit(standing, event)
      : standing,
  );
  await voidIfAlarmed(watch, template.family, ports);
};

const openAdjudication = async (
  { key, verdict, review }: VerdictMessage,
  { reviews, hints }: VerdictPorts,
): Promise<void> => {
  const audit = await reviews.get(reviewIdOf(key, review));
  if (!audit) return;
  const task = adjudicationOf(audit, verdict);
  await reviews.open(task);
  await hints.send([hintOf(task)]);
};
