/** The environment variables a function sees: those of its template, those Lambda adds, and the embedded endpoints. */

export interface EnvironmentInput {
  readonly template: Readonly<Record<string, string>>;
  readonly functionId: string;
  readonly functionName: string;
  readonly memoryMb: number;
  readonly handler: string;
  readonly region: string;
  readonly taskRoot: string;
  readonly secretAccessKey: string;
  readonly endpoints: Readonly<Record<"s3" | "sqs" | "dynamodb" | "sagemaker", string>>;
  /** The caller's values: each replaces a variable of the template, or an `AWS_ENDPOINT_URL_*`. */
  readonly overrides: Readonly<Record<string, string>>;
}

/** The complete environment; nothing of this process's own leaks into it. */
export function functionEnvironment(input: EnvironmentInput): Record<string, string> {
  const overrides = Object.entries(input.overrides).filter(
    ([key]) => key in input.template || key.startsWith("AWS_ENDPOINT_URL_"),
  );
  return {
    ...input.template,
    AWS_REGION: input.region,
    AWS_DEFAULT_REGION: input.region,
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_NAME: input.functionName,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(input.memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${input.functionName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: "embedded",
    // The access key names the caller: by it the services count calls and check permissions.
    AWS_ACCESS_KEY_ID: input.functionId,
    AWS_SECRET_ACCESS_KEY: input.secretAccessKey,
    LAMBDA_TASK_ROOT: input.taskRoot,
    LANG: "en_US.UTF-8",
    TZ: ":UTC",
    _HANDLER: input.handler,
    AWS_ENDPOINT_URL_S3: input.endpoints.s3,
    AWS_ENDPOINT_URL_SQS: input.endpoints.sqs,
    AWS_ENDPOINT_URL_DYNAMODB: input.endpoints.dynamodb,
    AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME: input.endpoints.sagemaker,
    ...Object.fromEntries(overrides),
  };
}
