/** The trust report's findings as sentences that a manager understands, in Chinese and English. */
import type { Language } from "../decide/reason-text.ts";
import { voidTexts } from "../trust/void-text.ts";
import type { AcceptedError } from "./accepted-error.ts";
import type { Forecast } from "./audit-forecast.ts";
import type { CoverageFigures } from "./coverage.ts";
import { countText, dayText, hoursText, percentText } from "./number-text.ts";
import type { Share } from "./share.ts";
import type { TrustStanding } from "./standing.ts";

export type Sentences = Readonly<Record<Language, string>>;

/** Both languages in one line: a sentence in English, then in Chinese. */
const both = (en: string, zh: string): Sentences => ({ zh, en });

const newTask = both(
  "it was given for other tasks of the family, and this one has yet to pass its first audits",
  "证书属于同族的其他任务，本任务尚未通过首批抽检",
);

/** What may be relied on. */
export const standingSentence = (standing: TrustStanding, error: AcceptedError | null): Sentences => {
  switch (standing.kind) {
    case "certified": {
      const { alpha, delta, coverage, n, k, issuedAt } = standing.certificate;
      const [sure, wrong, answered] = [1 - delta, alpha, coverage].map(percentText);
      return both(
        `With ${sure} certainty, at most ${wrong} of the answers that the machine gives by itself are wrong, while it answers ${answered} of the samples it judges; certified on ${dayText(issuedAt)} by ${countText(n)} random blind checks, ${countText(k)} of which found an error.`,
        `有 ${sure} 的把握：机器独立给出的答案中，错误不超过 ${wrong}，同时由机器回答其评审样本的 ${answered}；${dayText(issuedAt)} 认证，依据 ${countText(n)} 次随机盲审，其中 ${countText(k)} 次发现错误。`,
      );
    }
    case "void": {
      const why = standing.why === "new-task" ? newTask : voidTexts[standing.why];
      const since = standing.since === null ? null : dayText(standing.since);
      const en = `The certificate of ${dayText(standing.certificate.issuedAt)} does not count${since === null ? "" : ` since ${since}`}: ${why.en}. ${fallback(standing, error).en}`;
      const zh = `${dayText(standing.certificate.issuedAt)} 的证书${since === null ? "目前" : `自 ${since} 起`}不再有效：${why.zh}。${fallback(standing, error).zh}`;
      return both(en, zh);
    }
    case "none": {
      const { en, zh } = fallback(standing, error);
      return both(
        `Nothing is proven about this task's machine answers yet. ${en}`,
        `本任务的机器答案尚未得到任何证明。${zh}`,
      );
    }
    default:
      return standing satisfies never;
  }
};

const fallback = ({ threshold }: TrustStanding, error: AcceptedError | null): Sentences => {
  if (threshold === null) return both("People see every sample.", "所有样本都由人审。");
  const answers = both(
    `The machine answers where its confidence reaches ${percentText(threshold)}, uncertified`,
    `机器在置信度达到 ${percentText(threshold)} 时作答，未经认证`,
  );
  if (error === null)
    return both(
      `${answers.en}; no such answer has been checked by people.`,
      `${answers.zh}；这类答案还没有人抽检过。`,
    );
  const [checked, wrong] = [countText(error.of), countText(error.part)];
  return both(
    `${answers.en}; blind checks of ${checked} such answers found ${wrong} wrong (of all of them at most ${percentText(error.bound)}, as far as these checks tell).`,
    `${answers.zh}；人工盲审了 ${checked} 个这类答案，其中 ${wrong} 个有误（就这些抽检而言，错误至多 ${percentText(error.bound)}）。`,
  );
};

/** Who does the work; `since`: the machine's share since the certificate was given. */
export const coverageSentence = (
  { gross, humanLoad, valid }: CoverageFigures,
  since: Share | null,
): Sentences => {
  if (gross === null || humanLoad === null)
    return both("There are no valid samples in this window.", "该时间段内没有有效样本。");
  const certified =
    since === null
      ? both("", "")
      : both(
          ` Since it was certified the machine answered ${percentText(since.rate)} of ${countText(since.of)}.`,
          `认证以来，${countText(since.of)} 个有效样本的机审率为 ${percentText(since.rate)}。`,
        );
  const whole = both(
    `Of ${countText(valid)} valid samples the machine answered ${percentText(gross.rate)} by itself; people see ${percentText(humanLoad.rate)}, random checks of the machine included.`,
    `${countText(valid)} 个有效样本中，机审率为 ${percentText(gross.rate)}；人工查看 ${percentText(humanLoad.rate)}（含对机器的随机抽检）。`,
  );
  return both(`${whole.en}${certified.en}`, `${whole.zh}${certified.zh}`);
};

/** What the target would take. */
export const forecastSentence = (forecast: Forecast): Sentences => {
  const target = percentText(forecast.target);
  switch (forecast.kind) {
    case "reached":
      return both(
        `The certificate covers ${target} of the samples or more already.`,
        `证书已覆盖 ${target} 或更多的样本。`,
      );
    case "unknown":
      return both(
        `What ${target} would take cannot be said yet: there are ${countText(forecast.labels)} random checks with a verdict, and at least ${countText(forecast.needed)} are needed for an estimate.`,
        `机审率 ${target} 需要多少抽检还说不准：有结论的随机抽检只有 ${countText(forecast.labels)} 个，至少要 ${countText(forecast.needed)} 个才能估计。`,
      );
    case "unmeasured":
      return both(
        `${target} is out of reach whatever is checked: only ${percentText(forecast.measured)} of the answers have a confidence at all.`,
        `无论抽检多少都达不到 ${target}：只有 ${percentText(forecast.measured)} 的答案带有置信度。`,
      );
    case "out-of-reach": {
      const [error, coverage, alpha] = [forecast.error, forecast.coverage, forecast.alpha].map(percentText);
      return both(
        `${target} is out of reach with this judge: at ${coverage} coverage about ${error} of its answers are wrong, and ${alpha} is allowed. More checks cannot change that; a better standard, examples or judge can.`,
        `当前模型达不到 ${target}：覆盖 ${coverage} 时约有 ${error} 的答案有误，而允许的是 ${alpha}。再多抽检也无济于事，需要改进标注标准、示例或模型。`,
      );
    }
    case "reachable":
      return reachable(forecast, target);
    default:
      return forecast satisfies never;
  }
};

const reachable = (
  { missing, needed, usable, hours, cost, currency, days }: Extract<Forecast, { kind: "reachable" }>,
  target: string,
): Sentences => {
  if (missing === 0)
    return both(
      `There are checks enough to try ${target}: ${countText(usable)} are there, about ${countText(needed)} are needed. Certify again.`,
      `抽检数量已足以尝试 ${target}：现有 ${countText(usable)} 个，约需 ${countText(needed)} 个。请重新认证。`,
    );
  const money = cost === null ? "" : `${currency} ${countText(cost)}`;
  return both(
    `${target} would take about ${countText(missing)} more random checks: ${hoursText(hours)} hours of people's work${money === "" ? "" : `, ${money}`}${days === null ? "" : `, ${countText(Math.ceil(days))} days at the present traffic and audit rate`}.`,
    `要达到 ${target}，约需再做 ${countText(missing)} 次随机抽检：人工 ${hoursText(hours)} 小时${money === "" ? "" : `，费用 ${money}`}${days === null ? "" : `，按目前的流量和抽检率约 ${countText(Math.ceil(days))} 天`}。`,
  );
};
