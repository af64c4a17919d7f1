/** Evaluates CloudFormation intrinsic functions against the resources created so far. Called per resource and output. */
import { type PseudoParameters, pseudoValue } from "./pseudo.ts";
import type { Template } from "./template.ts";

/** What a created resource answers to `Ref` and `Fn::GetAtt`. */
export interface CreatedResource {
  readonly ref: string;
  readonly attributes: Readonly<Record<string, string>>;
}

export interface Scope {
  readonly template: Template;
  readonly pseudo: PseudoParameters;
  readonly created: ReadonlyMap<string, CreatedResource>;
  /** Truth of the template's conditions. */
  readonly conditions: ReadonlyMap<string, boolean>;
  /** Points addresses that AWS derives from ids (such as those of HTTP APIs) at the embedded servers. */
  readonly localise: (text: string) => string;
  /** Values exported by stacks deployed before this one. */
  readonly exports: ReadonlyMap<string, string>;
}

/** Stands for `AWS::NoValue`: the key or element that holds it is dropped. */
const noValue = Symbol("AWS::NoValue");

/** Resolves every intrinsic inside `value`; throws an error naming the intrinsic it does not know. */
export function resolve(value: unknown, scope: Scope): unknown {
  const resolved = resolveNode(value, scope);
  return resolved === noValue ? undefined : resolved;
}

function resolveNode(value: unknown, scope: Scope): unknown {
  if (Array.isArray(value))
    return value.map((item) => resolveNode(item, scope)).filter((item) => item !== noValue);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only !== undefined && (only[0] === "Ref" || only[0].startsWith("Fn::")))
    return resolveIntrinsic(only[0], only[1], scope);
  const result: Record<string, unknown> = {};
  for (const [key, item] of entries) {
    const resolved = resolveNode(item, scope);
    if (resolved !== noValue) result[key] = resolved;
  }
  return result;
}

function resolveIntrinsic(name: string, argument: unknown, scope: Scope): unknown {
  switch (name) {
    case "Ref":
      return reference(text(argument, name), scope);
    case "Fn::GetAtt":
      return attribute(argument, scope);
    case "Fn::Join": {
      const [separator, items] = list(argument, name, scope);
      const parts = list(items, name, scope).map((item) => text(item, name));
      return scope.localise(parts.join(text(separator, name)));
    }
    case "Fn::Sub":
      return substitute(argument, scope);
    case "Fn::Select": {
      const [index, items] = list(argument, name, scope);
      const chosen = list(items, name, scope)[Number(index)];
      if (chosen === undefined) throw new Error(`Fn::Select: there is no element ${String(index)}`);
      return chosen;
    }
    case "Fn::Split": {
      const [separator, source] = list(argument, name, scope);
      return text(source, name).split(text(separator, name));
    }
    case "Fn::ImportValue": {
      const key = text(resolve(argument, scope), name);
      const value = scope.exports.get(key);
      if (value === undefined)
        throw new Error(`Fn::ImportValue: no stack deployed before this one exports ${key}`);
      return value;
    }
    case "Fn::If": {
      if (!Array.isArray(argument)) throw new Error("Fn::If: expected [condition, then, else]");
      const [condition, whenTrue, whenFalse] = argument;
      return resolveNode(holds(text(condition, name), scope) ? whenTrue : whenFalse, scope);
    }
    default:
      throw new Error(
        `intrinsic ${name} is not simulated: use another construct, or teach it to infra/local/assembly/intrinsics.ts`,
      );
  }
}

function reference(name: string, scope: Scope): unknown {
  if (name === "AWS::NoValue") return noValue;
  if (name.startsWith("AWS::")) return pseudoValue(name, scope.pseudo);
  const parameter = scope.template.Parameters[name];
  if (parameter !== undefined) {
    if (parameter.Default === undefined || parameter.Type.startsWith("AWS::SSM::Parameter"))
      throw new Error(`parameter ${name} (${parameter.Type}) has no value here: give it a plain default`);
    return String(parameter.Default);
  }
  return createdResource(name, scope).ref;
}

function attribute(argument: unknown, scope: Scope): string {
  const parts = typeof argument === "string" ? argument.split(".") : argument;
  if (!Array.isArray(parts) || parts.length < 2)
    throw new Error("Fn::GetAtt: expected [resource, attribute]");
  const [id, ...rest] = parts.map((part) => text(part, "Fn::GetAtt"));
  const name = rest.join(".");
  const value = createdResource(id ?? "", scope).attributes[name];
  if (value === undefined)
    throw new Error(
      `Fn::GetAtt: attribute ${name} of ${id} is not simulated: add it where the resource is created`,
    );
  return value;
}

function substitute(argument: unknown, scope: Scope): string {
  const [pattern, variables] = Array.isArray(argument) ? argument : [argument, {}];
  const own = new Map(Object.entries(Object(variables)));
  const whole = text(pattern, "Fn::Sub").replace(/\$\{(!?)([^}]+)\}/g, (_, literal: string, name: string) => {
    if (literal === "!") return `\${${name}}`;
    if (own.has(name)) return text(resolve(own.get(name), scope), "Fn::Sub");
    return name.includes(".") ? attribute(name, scope) : text(reference(name, scope), "Fn::Sub");
  });
  return scope.localise(whole);
}

/** Truth of a named condition; throws when the template does not define it. */
export function holds(condition: string, scope: Scope): boolean {
  const value = scope.conditions.get(condition);
  if (value === undefined) throw new Error(`condition ${condition} is not defined in the template`);
  return value;
}

function createdResource(id: string, scope: Scope): CreatedResource {
  const resource = scope.created.get(id);
  if (resource === undefined) throw new Error(`refers to ${id}, which this stack does not create`);
  return resource;
}

function list(value: unknown, name: string, scope: Scope): unknown[] {
  const resolved = resolve(value, scope);
  if (!Array.isArray(resolved)) throw new Error(`${name}: expected a list`);
  return resolved;
}

function text(value: unknown, name: string): string {
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new Error(`${name}: expected text, got ${JSON.stringify(value)}`);
}
