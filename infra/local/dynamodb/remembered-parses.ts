/**
 * Remembers what dynalite's expression parsers make of an expression: functions send the same few texts with other
 * values, and parsing them anew was a quarter of the emulator's time. Used by dynalite.ts.
 */

/** What a parser is told besides the text; it deletes the names and values it meets from the unused ones. */
interface ParseContext {
  readonly attrNames?: Readonly<Record<string, string>> | null;
  readonly attrVals?: Readonly<Record<string, object>> | null;
  readonly unusedAttrNames: Record<string, true>;
  readonly unusedAttrVals: Record<string, true>;
  readonly isKeyCondition?: boolean;
}

export interface ExpressionParser {
  parse(text: string, options: { readonly context: ParseContext }): unknown;
}

interface Remembered {
  readonly tree: unknown;
  /** The value objects that stand in the tree, by the name they were given. */
  readonly values: ReadonlyMap<unknown, string>;
  readonly usedNames: readonly string[];
  readonly usedValues: readonly string[];
}

/** These look at what a value is, all others only at its type. */
const looksAtValues = /\bbetween\b|attribute_type/i;
const most = 500;

/** Replaces `parser.parse`. An expression that is refused is parsed each time, for its own error. */
export function rememberParses(parser: ExpressionParser): void {
  const { parse } = parser;
  const known = new Map<string, Remembered>();
  parser.parse = (text, options) => {
    if (looksAtValues.test(text)) return parse(text, options);
    const { context } = options;
    const key = keyOf(text, context);
    const found = known.get(key);
    if (found !== undefined) return again(found, context);
    const namesBefore = Object.keys(context.unusedAttrNames);
    const valuesBefore = Object.keys(context.unusedAttrVals);
    const tree = parse(text, options);
    // What is wrong with an expression is said in a text, which may quote a value.
    if (typeof tree === "string") return tree;
    const values = Object.entries(context.attrVals ?? {}).map(([name, value]): [unknown, string] => [
      value,
      name,
    ]);
    const remembered: Remembered = {
      tree,
      values: new Map(values),
      usedNames: namesBefore.filter((name) => !(name in context.unusedAttrNames)),
      usedValues: valuesBefore.filter((name) => !(name in context.unusedAttrVals)),
    };
    if (known.size < most) known.set(key, remembered);
    return again(remembered, context);
  };
}

function keyOf(text: string, { attrNames, attrVals, isKeyCondition }: ParseContext): string {
  const names = JSON.stringify(attrNames ?? {});
  const types = Object.entries(attrVals ?? {}).map(([name, value]) => `${name} ${Object.keys(value).join()}`);
  return `${text}\n${isKeyCondition === true}\n${names}\n${types.join("\n")}`;
}

/** The tree with the caller's own values; a copy, since its readers change it. */
function again({ tree, values, usedNames, usedValues }: Remembered, context: ParseContext): unknown {
  for (const name of usedNames) delete context.unusedAttrNames[name];
  for (const name of usedValues) delete context.unusedAttrVals[name];
  return copy(tree, (part) => {
    const name = values.get(part);
    return name === undefined ? undefined : context.attrVals?.[name];
  });
}

/** Deep, but for parts that `replaced` knows. */
function copy(part: unknown, replaced: (part: object) => unknown): unknown {
  if (typeof part !== "object" || part === null) return part;
  const other = replaced(part);
  if (other !== undefined) return other;
  if (Array.isArray(part)) return part.map((item) => copy(item, replaced));
  // Some have no prototype, so that any attribute name can be looked up in them.
  const copied: Record<string, unknown> = Object.create(Object.getPrototypeOf(part));
  for (const [name, value] of Object.entries(part)) copied[name] = copy(value, replaced);
  return copied;
}
