/** Whether a fault is phrased as a good thing, by counting good and bad words with what negates them. Called by lint. */

const good =
  /正确|准确|合理|清晰|清楚|完整(?!的)|恰当|充分|一致|符合|遵守|属实|规范|\b(?:correct(?:ly)?|accurate(?:ly)?|appropriate(?:ly)?|complete(?:ly)?|clear(?:ly)?|consistent(?:ly)?|compl(?:y|ies)|proper(?:ly)?|faithful(?:ly)?)\b/gi;
const bad =
  /错误|有误|错别字|遗漏|漏(?:写|掉|项)|缺少|缺失|编造|虚构|捏造|杜撰|泄露|违反|违规|误导|矛盾|歪曲|夸大|不当|抄袭|臆测|\b(?:wrong(?:ly)?|incorrect(?:ly)?|inaccurate(?:ly)?|missing|omits?|omissions?|errors?|mistakes?|typos?|fabricat\w*|invent\w*|hallucinat\w*|leaks?|violat\w*|mislead\w*|contradict\w*|exaggerat\w*|plagiar\w*|unsupported)\b/gi;
/** Right before a word, these turn it round; so do those that keep something away. */
const negated =
  /(?:没有|没|未能|未|不得|不应|不能|不|无|非|避免|杜绝|防止|\bnot|\bno|\bnever|\bwithout|n't|\bavoids?|\bfree of|\brefrains? from|\bfails? to(?: be)?)[^，。,.；;\p{Script=Han}]{0,24}\p{Script=Han}{0,4}$/iu;

/** The praising word where a text praises and blames nothing; null otherwise. */
export function praise(text: string): string | null {
  const marks = [
    ...[...text.matchAll(good)].map((match) => ({ match, isGood: true })),
    ...[...text.matchAll(bad)].map((match) => ({ match, isGood: false })),
  ].map(({ match, isGood }) => {
    const before = text.slice(Math.max(0, match.index - 40), match.index);
    const negation = negated.exec(before)?.[0] ?? "";
    return { word: `${negation}${match[0]}`.trim(), isGood: negation === "" ? isGood : !isGood };
  });
  if (marks.some(({ isGood }) => !isGood)) return null;
  return marks[0]?.word ?? null;
}
