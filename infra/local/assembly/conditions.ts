/** Evaluates template conditions, for `Fn::If` and for resources and outputs that exist only under one. */
import { resolve, type Scope } from "./intrinsics.ts";

/** Truth of the named condition; throws when the template does not define it. */
export function evaluateCondition(name: string, scope: Scope): boolean {
  const definition = scope.template.Conditions[name];
  if (definition === undefined) throw new Error(`condition ${name} is not defined in the template`);
  return evaluate(definition, scope);
}

function evaluate(expression: unknown, scope: Scope): boolean {
  const [entry] = Object.entries(Object(expression));
  if (entry === undefined) throw new Error(`not a condition: ${JSON.stringify(expression)}`);
  const [operator, argument] = entry;
  if (operator === "Condition") return evaluateCondition(String(argument), scope);
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
