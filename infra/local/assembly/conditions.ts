/** Evaluates a template's conditions, before any of its resources exist. */
import { resolve, type Scope } from "./intrinsics.ts";

/** Truth of every condition of the scope's template, by name. */
export function evaluateConditions(scope: Scope): Map<string, boolean> {
  const values = new Map<string, boolean>();
  for (const [name, definition] of Object.entries(scope.template.Conditions))
    values.set(name, evaluate(definition, scope));
  return values;
}

function evaluate(expression: unknown, scope: Scope): boolean {
  const [entry] = Object.entries(Object(expression));
  if (entry === undefined) throw new Error(`not a condition: ${JSON.stringify(expression)}`);
  const [operator, argument] = entry;
  if (operator === "Condition") return evaluate(scope.template.Conditions[String(argument)], scope);
  if (!Array.isArray(argument)) throw new Error(`condition ${operator}: expected a list`);
  switch (operator) {
    case "Fn::Equals": {
      const [left, right] = argument.map((side) => resolve(side, scope));
      return String(left) === String(right);
    }
    case "Fn::And":
      return argument.every((part) => evaluate(part, scope));
    case "Fn::Or":
      return argument.some((part) => evaluate(part, scope));
    case "Fn::Not":
      return !evaluate(argument[0], scope);
    default:
      throw new Error(`condition ${operator} is not simulated: add it to infra/local/assembly/conditions.ts`);
  }
}
