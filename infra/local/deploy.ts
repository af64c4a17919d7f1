/** Creates every resource of every stack, in order, in the embedded world; the counterpart of `cdk deploy`. */
import { evaluateConditions } from "./assembly/conditions.ts";
import { creationOrder } from "./assembly/creation-order.ts";
import { type CreatedResource, holds, resolve, type Scope } from "./assembly/intrinsics.ts";
import type { Assembly, AssemblyStack } from "./assembly/manifest.ts";
import { wildcard } from "./iam/policy.ts";
import { describePlace, InvalidTemplateError, type Place } from "./not-simulated.ts";
import { resourceType } from "./resources/registry.ts";
import type { World } from "./world.ts";

/** Stack name → output key → value, the shape of `cdk deploy --outputs-file`. */
export type StackOutputs = Record<string, Record<string, string>>;

/** Throws at the first thing that cannot be created, naming stack, resource and type. */
export async function deploy(assembly: Assembly, world: World): Promise<StackOutputs> {
  const outputs: StackOutputs = {};
  const exports = new Map<string, string>();
  for (const stack of assembly.stacks) refuseUnknownTypes(stack);
  for (const stack of assembly.stacks) outputs[stack.name] = await deployStack(stack, world, exports);
  for (const check of world.checks) check();
  for (const needed of world.neededGrants) {
    const granted = world.grants.some(
      ({ principal, action, target }) =>
        principal === needed.principal &&
        action === needed.action &&
        wildcard(target, "").test(needed.target),
    );
    if (!granted)
      throw new InvalidTemplateError(
        needed.place,
        `nothing in the template allows ${needed.principal} to ${needed.action} on ${needed.target}`,
      );
  }
  return outputs;
}

/** Before anything is started: the commonest mistake should be the quickest to be told. */
function refuseUnknownTypes(stack: AssemblyStack): void {
  for (const [logicalId, { Type: type }] of Object.entries(stack.template.Resources))
    resourceType({ stack: stack.name, logicalId, type });
}

async function deployStack(
  { name, template }: AssemblyStack,
  world: World,
  exports: Map<string, string>,
): Promise<Record<string, string>> {
  const created = new Map<string, CreatedResource>();
  const conditions = new Map<string, boolean>();
  const scope: Scope = {
    template,
    created,
    conditions,
    exports,
    pseudo: { region: world.region, account: world.account, stackName: name },
    localise: (text) => localise(text, world),
  };
  for (const [condition, value] of evaluateConditions(scope)) conditions.set(condition, value);

  for (const logicalId of creationOrder(template.Resources)) {
    const resource = template.Resources[logicalId];
    if (resource === undefined || (resource.Condition !== undefined && !holds(resource.Condition, scope)))
      continue;
    const place: Place = { stack: name, logicalId, type: resource.Type };
    const properties = at(place, () => resolve(resource.Properties, scope));
    const context = { world, place, generatedName: `${name}-${logicalId}` };
    created.set(logicalId, await resourceType(place).create(properties, context));
  }

  const outputs: Record<string, string> = {};
  for (const [key, output] of Object.entries(template.Outputs)) {
    if (output.Condition !== undefined && !holds(output.Condition, scope)) continue;
    const place: Place = { stack: name, logicalId: key, type: "output" };
    const value = String(at(place, () => resolve(output.Value, scope)));
    outputs[key] = value;
    if (output.Export !== undefined)
      exports.set(String(at(place, () => resolve(output.Export?.Name, scope))), value);
  }
  return outputs;
}

/** Adds the place to whatever goes wrong while a value is resolved. */
function at<Value>(place: Place, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw new Error(`${describePlace(place)}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function localise(text: string, world: World): string {
  let local = text;
  for (const { id, url } of world.apis.values())
    local = local.replace(`https://${id}.execute-api.${world.region}.amazonaws.com`, url);
  return local;
}
