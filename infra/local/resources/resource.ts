/** How a resource type is taught to the embedded AWS: its strict properties and how to create it. */
import * as z from "zod";
import type { CreatedResource } from "../assembly/intrinsics.ts";
import { NotSimulatedError, type Place } from "../not-simulated.ts";
import type { World } from "../world.ts";

export interface ResourceContext {
  readonly world: World;
  readonly place: Place;
  /** The name CloudFormation would generate, here without its random tail. */
  readonly generatedName: string;
}

export interface ResourceType {
  readonly type: string;
  create(properties: unknown, context: ResourceContext): Promise<CreatedResource>;
}

/** Declares a type. Properties outside the schema make start-up fail: they would be silently without effect. */
export function defineResource<Schema extends z.ZodType>(definition: {
  readonly type: string;
  readonly properties: Schema;
  create(properties: z.output<Schema>, context: ResourceContext): CreatedResource | Promise<CreatedResource>;
}): ResourceType {
  return {
    type: definition.type,
    async create(properties, context) {
      const parsed = definition.properties.safeParse(properties);
      if (!parsed.success)
        throw new NotSimulatedError(
          context.place,
          `properties the embedded AWS does not simulate:\n${z.prettifyError(parsed.error)}\n`,
          `Remove them, or teach them to the file of ${definition.type} in infra/local/resources.`,
        );
      return await definition.create(parsed.data, context);
    },
  };
}

/** ARN of something in the embedded account. */
export function arn(world: World, service: string, resource: string): string {
  return `arn:aws:${service}:${world.region}:${world.account}:${resource}`;
}
