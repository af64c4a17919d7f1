/** What the samples of a split show: drifted confidences, missing probabilities, or a judge that nobody certified. */
import { templateVersionOf } from "@touchstone/core/domain/decide/fingerprint";
import { answerCertificate } from "@touchstone/core/domain/trust/family-trust";
import { trafficSlice } from "@touchstone/core/domain/trust/traffic";
import { judgeWatch } from "@touchstone/core/domain/watch/judge-watch";
import { withTraffic } from "@touchstone/core/domain/watch/watch";
import type { TemplateStore } from "@touchstone/core/ports";
import type { TrafficMessage } from "@touchstone/core/schema/learn";
import type { FamilyTrust } from "@touchstone/core/schema/trust";
import type { Watch } from "@touchstone/core/schema/watch";
import { type VoidPorts, voidIfAlarmed } from "./void-certificate.ts";

export interface TrafficPorts extends VoidPorts {
  readonly templates: TemplateStore;
}

export const watchTraffic = async (message: TrafficMessage, ports: TrafficPorts): Promise<void> => {
  const { family } = await ports.templates.pinned(message.template);
  const isNewJudge = isLaterJudge(message, await ports.trust.family(family));
  const watch = await ports.trust.changeWatch(message.task, (standing) => {
    if (standing === null || standing.certificate !== message.certificate) return standing;
    if (standing.fingerprint === message.fingerprint) return withTraffic(standing, trafficSlice(message));
    return isNewJudge ? alarmed(standing, message) : standing;
  });
  await voidIfAlarmed(watch, family, ports);
};

/** A batch that was pinned to an older template may end after the certificate was given: that is no change. */
const isLaterJudge = (
  { certificate, covered, task, template, decidedAt }: TrafficMessage,
  trust: FamilyTrust,
): boolean => {
  const held = answerCertificate(trust)?.certificate;
  const own = held?.tasks[task];
  if (covered || !held || !own || held.id !== certificate) return false;
  return decidedAt > held.issuedAt && template.version >= templateVersionOf(own.parts);
};

const alarmed = (watch: Watch, { fingerprint, decidedAt }: TrafficMessage): Watch => {
  if (watch.alarm) return watch;
  const { alarm } = judgeWatch(watch, fingerprint);
  return alarm ? { ...watch, version: watch.version + 1, alarm: { ...alarm, at: decidedAt } } : watch;
};
