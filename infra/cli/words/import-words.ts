/** What `import` says; Chinese and English. */
import type { Language } from "@touchstone/core/domain/decide/reason-text";

export interface ImportWords {
  readonly imported: (samples: number, labelled: number, dir: string) => string;
  readonly next: (dir: string) => string;
  readonly warning: string;
}

export const importWords: Readonly<Record<Language, ImportWords>> = {
  en: {
    imported: (samples, labelled, dir) => `Made ${dir}: ${samples} samples, ${labelled} labelled examples`,
    next: (dir) => `Send it with: npm run touchstone -- submit ${dir}`,
    warning: "note:",
  },
  zh: {
    imported: (samples, labelled, dir) => `已生成 ${dir}：${samples} 个样本，${labelled} 个带标签的示例`,
    next: (dir) => `提交：npm run touchstone -- submit ${dir}`,
    warning: "注意：",
  },
};
