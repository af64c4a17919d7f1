/** What makes one candidate better than the other, before any example is seen. */

/**
 * Weights of feature differences; a feature that is not here is not compared. Small on purpose: which of two texts is
 * better depends on the task, and examples overrule these quickly. Signs follow people's preferences in public pairs.
 */
export const pairWeights: Readonly<Record<string, number>> = {
  answerAgrees: 1,
  refSupport: 0.5,
  refCover: 0.5,
  length: 0.1,
  lengthToQuestion: 0,
  sentences: 0.05,
  questionCover: 0.3,
  questionEcho: -0.2,
  knownSupport: 0,
  repetition: -0.3,
  repeatedSentences: -0.05,
  refusal: -0.2,
  itemsRight: 0.3,
  listed: 0,
  unfinished: -0.1,
  brief: -0.1,
  otherScript: -0.3,
  numbersUnsupported: -0.05,
  exclamation: 0,
  polite: 0,
  hedge: -0.05,
  advice: 0.05,
  absolute: 0,
  asksBack: 0,
  wordLength: 0,
  strongestSentence: 0,
};
