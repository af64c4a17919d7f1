/** What makes one candidate better than the other, before any example is seen. */

/** Weights of feature differences. */
export const pairWeights: Readonly<Record<string, number>> = {
  length: 0.3,
  questionCover: 0.5,
  questionEcho: -0.5,
  repetition: -1,
  repeatedSentences: -0.3,
  refusal: -0.3,
  itemsRight: 0.5,
  unfinished: -0.3,
  brief: -0.2,
  otherScript: -0.5,
  knownSupport: 0.2,
  refSupport: 0.5,
  answerAgrees: 1,
  strongestSentence: 0.2,
  listed: 0.05,
};
