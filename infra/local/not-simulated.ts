/** Errors by which the embedded AWS refuses what it does not know: always with the place, and with what to do. */

/** Where in an assembly something was found. */
export interface Place {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
}

/** Something in the template that would mean one thing in AWS and another (or nothing) here. Start-up fails. */
export class NotSimulatedError extends Error {
  override readonly name = "NotSimulatedError";

  constructor(place: Place, what: string, advice: string) {
    super(`${describePlace(place)}: ${what} ${advice}`);
  }
}

/** A template that AWS itself would refuse to deploy, or that would deploy and then never work. */
export class InvalidTemplateError extends Error {
  override readonly name = "InvalidTemplateError";

  constructor(place: Place, what: string) {
    super(`${describePlace(place)}: ${what}`);
  }
}

/** The form in which messages name a resource. */
export function describePlace(place: Place): string {
  return `stack ${place.stack}, resource ${place.logicalId} (${place.type})`;
}
