/** What each feature is, in words for the explanation of an answer. */

/** Chinese, then English. */
const names: Readonly<Record<string, readonly [zh: string, en: string]>> = {
  length: ["文本长度", "length of the text"],
  brief: ["回答过短", "a very short answer"],
  sentences: ["句子数量", "number of sentences"],
  lengthToQuestion: ["与问题相比的长度", "length next to the question"],
  repetition: ["用词重复", "repeated words"],
  repeatedSentences: ["重复的句子", "repeated sentences"],
  listed: ["分条列出的项数", "number of listed items"],
  itemsRight: ["条数是否符合要求", "number of items against the number asked for"],
  asksBack: ["以反问结尾", "ends with a question"],
  exclamation: ["感叹号", "exclamation marks"],
  unfinished: ["结尾不完整", "an unfinished end"],
  otherScript: ["语言与问题不同", "another script than the question"],
  wordLength: ["词的长度", "length of words"],
  polite: ["礼貌用语", "polite words"],
  rude: ["不礼貌用语", "rude words"],
  offPlatform: ["站外联系或付款的字眼", "words of off-platform contact or payment"],
  privateData: ["隐私信息的字眼", "words for private data"],
  advice: ["建议与下一步", "advice and next steps"],
  evasive: ["敷衍的说法", "evasive words"],
  refusal: ["拒绝的说法", "words of refusal"],
  hedge: ["不确定的说法", "hedging words"],
  absolute: ["绝对化用语", "absolute claims"],
  sales: ["促销用语", "sales talk"],
  refCover: ["参考内容被提到的比例", "share of the reference that is covered"],
  refSupport: ["内容出自参考的比例", "share of the text that the reference supports"],
  knownSupport: ["内容有出处的比例", "share of the text that has a source"],
  questionCover: ["回应问题的比例", "share of the question that is taken up"],
  questionEcho: ["照抄问题的比例", "share of the text that echoes the question"],
  weakestSentence: ["最缺依据的一句", "the least supported sentence"],
  strongestSentence: ["最有依据的一句", "the best supported sentence"],
  negationClash: ["肯定否定与参考相反", "negation against the source"],
  numberClash: ["同一句里数字与参考不同", "numbers that differ in a matching sentence"],
  focusCover: ["问到的那一条是否说到", "coverage of the point asked about"],
  focusNumberMissing: ["问到的数字没有说", "missing numbers of the point asked about"],
  numbersUnsupported: ["没有出处的数字", "numbers without a source"],
  measuresUnsupported: ["没有出处的数值和单位", "values with units that have no source"],
  numbersShared: ["与参考相同的数字", "numbers shared with the reference"],
  answerAgrees: ["最终答案与参考是否一致", "agreement of the final answer with the reference"],
  pictureCount: ["图片数量", "number of pictures"],
  changeFollowed: ["聊天里要求的改动是否照做", "whether the change asked for in the chat was made"],
  piecesShown: ["需求内容出现在图片里的比例", "share of the brief shown in the picture"],
  wordsAbsent: ["需求文字没有出现", "words of the brief that are missing"],
  wordsSlipped: ["需求文字有出入", "words of the brief with a slip"],
  figuresAbsent: ["需求数字没有出现", "figures of the brief that are missing"],
  figuresSlipped: ["需求数字有出入", "figures of the brief with a slip"],
  figuresForeign: ["图片里多出的数字", "figures that the brief does not have"],
  colourShown: ["颜色相符", "matching colours"],
  bannedShown: ["出现了不得出现的词", "words that must not appear"],
  flaws: ["与需求不符的处数", "number of departures from the brief"],
  flawless: ["没有发现不符之处", "no departure from the brief found"],
  pictureWords: ["图片里的文字量", "amount of text in the picture"],
  unclear: ["描述提到看不清", "the description says it is illegible"],
  turns: ["对话轮数", "number of turns"],
  forbidden: ["标准禁止的说法", "phrases that the standard forbids"],
  wanted: ["标准要求的说法", "phrases that the standard asks for"],
};

/** The feature in words; `label:X` is a phrase that the standard quotes for label X. */
export function featureName(feature: string, language: "zh" | "en"): string {
  const label = /^label:(.+)$/.exec(feature)?.[1];
  if (label !== undefined) {
    return language === "zh" ? `标准为 ${label} 举出的说法` : `phrases that the standard quotes for ${label}`;
  }
  const keyed = /^(?:absent|slipped):(.+)$/.exec(feature)?.[1];
  if (keyed !== undefined) {
    return language === "zh" ? `标准中 ${keyed} 所列的缺漏` : `faults that the standard lists for ${keyed}`;
  }
  const [zh, en] = names[feature] ?? [feature, feature];
  return language === "zh" ? zh : en;
}
