/** Writes the answer as tokens: the label codes carry the judge's real probabilities, all other tokens are certain. */
import type { CriterionAnswer } from "./answer-criteria.ts";
import type { FieldAnswer } from "./answer-fields.ts";

export interface Alternative {
  readonly token: string;
  readonly logprob: number;
}
export interface WrittenToken extends Alternative {
  readonly alternatives: readonly Alternative[];
}

/** What servers write for a probability of nothing. */
const least = -9999;
const logOf = (share: number): number => (share > 0 ? Math.max(least, Math.log(share)) : least);

/** A token that had no alternative. */
const sure = (token: string): WrittenToken => ({ token, logprob: 0, alternatives: [{ token, logprob: 0 }] });

/** Text cut into tokens of a few characters; JSON's escapes stay whole. */
function textTokens(text: string): WrittenToken[] {
  return (text.match(/\\u[0-9a-f]{4}|\\.|\s?[A-Za-z0-9]{1,8}|[\s\S]/gu) ?? []).map(sure);
}

/** One token out of a distribution: the likeliest, with all the others as its alternatives. */
function drawn(shares: readonly { token: string; share: number }[]): WrittenToken {
  const alternatives = shares
    .map(({ token, share }) => ({ token, logprob: logOf(share) }))
    .sort((left, right) => right.logprob - left.logprob);
  const [best = { token: "", logprob: 0 }] = alternatives;
  return { ...best, alternatives };
}

export interface AnswerText {
  readonly explanation: string;
  readonly evidence: readonly string[];
}

/** The whole answer in the form that the prompt asks for. */
export function writeAnswer(
  text: AnswerText,
  answers: readonly FieldAnswer[],
  criteria: readonly CriterionAnswer[] = [],
): WrittenToken[] {
  const tokens = [
    ...textTokens(`{"explanation": ${JSON.stringify(text.explanation)}`),
    ...textTokens(`, "evidence": ${JSON.stringify(text.evidence)}`),
    ...criteriaTokens(criteria),
    ...textTokens(', "fields": {'),
  ];
  answers.forEach((answer, index) => {
    tokens.push(...textTokens(`${index > 0 ? ", " : ""}"${answer.field.id}": `), ...valueTokens(answer));
  });
  return [...tokens, sure("}"), sure("}")];
}

/** Nothing where no criterion was asked. */
function criteriaTokens(criteria: readonly CriterionAnswer[]): WrittenToken[] {
  if (criteria.length === 0) return [];
  const tokens = textTokens(', "criteria": {');
  criteria.forEach(({ criterion, probabilities, quotes }, index) => {
    const shares = criterion.codes.map((code, at) => ({ token: code, share: probabilities[at] ?? 0 }));
    tokens.push(
      ...textTokens(
        `${index > 0 ? ", " : ""}"${criterion.id}": {"quotes": ${JSON.stringify(quotes)}, "met": "`,
      ),
      drawn(shares),
      ...textTokens('"}'),
    );
  });
  return [...tokens, sure("}")];
}

function valueTokens(answer: FieldAnswer): WrittenToken[] {
  switch (answer.kind) {
    case "choice": {
      const shares = answer.field.labels.map(({ code }, index) => ({
        token: code,
        share: answer.probabilities[index] ?? 0,
      }));
      return [sure('"'), drawn(shares), sure('"')];
    }
    case "set":
      return setTokens(
        answer.field.labels.map(({ code }) => code),
        answer.probabilities,
      );
    case "blank":
      return blankTokens(answer.field.kind, answer.field.optional);
    default:
      return answer satisfies never;
  }
}

/** Nothing where that is allowed; else the shortest thing that is, without a claim to be sure of it. */
function blankTokens(kind: string, optional: boolean): WrittenToken[] {
  if (optional) return [sure("null")];
  const half = Math.log(0.5);
  const [open, body, close] = kind === "list" ? ["", "[]", ""] : ['"', "-", '"'];
  const token = { token: body, logprob: half, alternatives: [{ token: body, logprob: half }] };
  return [open, token, close].flatMap((one) =>
    typeof one !== "string" ? [one] : one === "" ? [] : [sure(one)],
  );
}

/**
 * A set as a chain of choices in the field's order: at each place either a later label comes next or the list ends, so
 * that the product of the tokens is the probability of the very set.
 */
function setTokens(codes: readonly string[], probabilities: readonly number[]): WrittenToken[] {
  const tokens: WrittenToken[] = [sure("[")];
  let from = 0;
  for (let first = true; ; first = false) {
    const shares: { token: string; at: number; share: number }[] = [];
    let none = 1;
    for (let at = from; at < codes.length; at++) {
      const own = probabilities[at] ?? 0;
      shares.push({ token: codes[at] ?? "", at, share: none * own });
      none *= 1 - own;
    }
    // The likeliest set takes each label by itself, so the list goes on while a likely label is left.
    const next = shares.find(({ at }) => (probabilities[at] ?? 0) > 0.5);
    const going = { token: first ? '"' : ", ", logprob: logOf(1 - none) };
    const ending = { token: "]", logprob: logOf(none) };
    const alternatives = [going, ending].sort((left, right) => right.logprob - left.logprob);
    if (!next) return [...tokens, { ...ending, alternatives }];
    tokens.push({ ...going, alternatives });
    if (!first) tokens.push(sure('"'));
    const listed = shares.map(({ token, share }) => ({ token, logprob: logOf(share / (1 - none)) }));
    const chosen = listed[shares.indexOf(next)] ?? { token: next.token, logprob: least };
    tokens.push({ ...chosen, alternatives: listed }, sure('"'));
    from = next.at + 1;
  }
}
