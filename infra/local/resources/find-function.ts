/** Finds a function by name or ARN, as the properties of other resources refer to it. */
import { InvalidTemplateError, type Place } from "../not-simulated.ts";
import type { DeployedFunction, World } from "../world.ts";

export function findFunction(world: World, nameOrArn: string, place: Place): DeployedFunction {
  const found =
    world.functions.get(nameOrArn) ?? [...world.functions.values()].find(({ name }) => name === nameOrArn);
  if (found === undefined) throw new InvalidTemplateError(place, `there is no function ${nameOrArn}`);
  return found;
}
