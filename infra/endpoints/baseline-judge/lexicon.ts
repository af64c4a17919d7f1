/** Words that carry a tone or a habit, Chinese and English; each list is one feature. Written by hand. */

export const lexicon = {
  polite:
    /您|请|谢谢|感谢|抱歉|不好意思|您好|亲[，,～~]|欢迎|\b(?:please|thank|thanks|sorry|welcome|happy to)\b/g,
  rude: /滚|烦死|烦不烦|没长眼|脑子|智商|笨|蠢|穷|爱买不买|有毛病|买不起|闭嘴|关我|懒得|瞎|\b(?:stupid|idiot|dumb|shut up|moron)\b/g,
  offPlatform:
    /微信|vx|v信|qq|转账|私下|收款码|二维码|站外|支付宝|不走平台|个人账户|绿色软件|加我|\b(?:wire transfer|whatsapp|telegram)\b/g,
  privateData: /身份证|银行卡|密码|验证码|手机号|住址|\b(?:password|passport|social security|credit card)\b/g,
  advice:
    /建议|可以先|记得|注意|帮您|我帮|您可以|推荐|不妨|需要我|\b(?:suggest|recommend|you can|you could|try|make sure|consider)\b/g,
  evasive:
    /仁者见仁|看具体情况|不好说|详情页|以实物为准|以页面|放心|好评|卖得|自己看|自己翻|自己不会|反馈给|因人而异|差不多|\b(?:it depends|hard to say|as you wish)\b/g,
  refusal:
    /不知道|不清楚|不归我|无法回答|答不了|不能回答|没空|没办法|不提供|下班|系统繁忙|\b(?:cannot|can't|unable to|as an ai|i'm sorry|i am sorry|don't know|not able to)\b/g,
  hedge:
    /可能|大概|也许|或许|应该是|不确定|一般来说|左右|\b(?:maybe|perhaps|might|probably|generally|usually|unsure)\b/g,
  absolute:
    /绝对|百分百|100%|保证|永远|永不|第一|最好|最低|国家级|全网|零风险|\b(?:guarantee[ds]?|always|never|best|perfect|absolutely)\b/g,
  sales: /下单|优惠|库存|赶紧|抢购|促销|半价|新到|回购|直播间|\b(?:buy now|discount|hurry)\b/g,
} as const satisfies Record<string, RegExp>;
export type Tone = keyof typeof lexicon;
export const tones = Object.keys(lexicon).filter((name): name is Tone => name in lexicon);

/** How many words of a tone a normalised text has. */
export function toneCount(tone: Tone, text: string): number {
  return text.match(lexicon[tone])?.length ?? 0;
}
