/** Runs one DynamoDB operation on dynalite, as the HTTP server and the table provisioner need it. */
import {
  type DynaliteError,
  type DynaliteStore,
  operations,
  type Parameters,
  validations,
} from "./dynalite.ts";

/** An answer that is not 200. */
export class DynamoDbError extends Error {
  override readonly name = "DynamoDbError";
  readonly status: number;
  readonly body: Record<string, unknown>;

  constructor(status: number, body: Record<string, unknown>) {
    super(String(body.message ?? body.Message ?? body.__type));
    this.status = status;
    this.body = body;
  }
}

/** Parameters dynalite does not declare and that are honoured, or change nothing here. */
const extraParameters = new Set(["ReturnValuesOnConditionCheckFailure"]);

/** The operation's answer; throws `DynamoDbError` as AWS would answer, and for what is not simulated. */
export async function execute(
  store: DynaliteStore,
  name: string,
  parameters: Parameters,
): Promise<Parameters> {
  const operation = operations.get(name);
  if (operation === undefined)
    throw notSimulated(`DynamoDB operation ${name} is not simulated`, "UnknownOperationException");
  for (const key of Object.keys(parameters))
    if (!(key in operation.types) && !extraParameters.has(key))
      throw notSimulated(`parameter ${key} of DynamoDB ${name} is not simulated`, "ValidationException");
  const wish = parameters.ReturnValuesOnConditionCheckFailure;
  let checked: Parameters;
  try {
    checked = validations.checkTypes(parameters, operation.types);
    validations.checkValidations(checked, operation.types, operation.custom, store);
  } catch (error) {
    throw answerOf(error);
  }
  if (wish !== undefined) checked.ReturnValuesOnConditionCheckFailure = wish;
  return await new Promise((resolve, reject) => {
    operation.act(store, checked, (error, answer) => {
      if (error) reject(answerOf(error));
      else resolve(answer ?? {});
    });
  });
}

function notSimulated(message: string, type: string): DynamoDbError {
  return new DynamoDbError(400, { __type: `com.amazon.coral.service#${type}`, message });
}

function answerOf(error: unknown): unknown {
  const { statusCode, body }: Partial<DynaliteError> = Object(error);
  return statusCode === undefined || body === undefined ? error : new DynamoDbError(statusCode, body);
}
