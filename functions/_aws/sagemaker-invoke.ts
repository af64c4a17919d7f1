/** One InvokeEndpoint call, its body's size checked before and its failure classified after. */
import { InvokeEndpointCommand, type SageMakerRuntimeClient } from "@aws-sdk/client-sagemaker-runtime";
import { invokeError, maxInvokeBytes, tooLarge } from "./sagemaker-errors.ts";

export interface SageMakerEndpoint {
  readonly client: SageMakerRuntimeClient;
  readonly name: string;
}

export const endpointName = (endpoint: SageMakerEndpoint): string => `endpoint ${endpoint.name}`;

/** The answer as text. `body` counts as it travels, base64 included. */
export const invokeEndpoint = async (
  endpoint: SageMakerEndpoint,
  body: Uint8Array,
  contentType: "image/jpeg" | "image/png" | "application/json",
  signal: AbortSignal,
): Promise<string> => {
  const where = endpointName(endpoint);
  if (body.byteLength > maxInvokeBytes) throw tooLarge(where, body.byteLength);
  const command = new InvokeEndpointCommand({
    EndpointName: endpoint.name,
    ContentType: contentType,
    Accept: "application/json",
    Body: body,
  });
  try {
    const { Body } = await endpoint.client.send(command, { abortSignal: signal });
    return Body.transformToString("utf8");
  } catch (error) {
    throw invokeError(error, where, body.byteLength);
  }
};
