/** Reads text that should be JSON and may be a web page; used on the answers of model servers. */

/** undefined where the text is not JSON, which no JSON text means. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
