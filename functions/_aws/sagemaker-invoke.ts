/** One InvokeEndpoint call, its body's size checked before and its failure classified after. */
import {
  InvokeEndpointCommand,
  InvokeEndpointWithResponseStreamCommand,
  type SageMakerRuntimeClient,
} from "@aws-sdk/client-sagemaker-runtime";
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

/** The same with an answer that comes in pieces; a failure in mid-stream is one of the call. */
export const invokeStreaming = async (
  endpoint: SageMakerEndpoint,
  body: Uint8Array,
  signal: AbortSignal,
): Promise<string> => {
  const where = endpointName(endpoint);
  if (body.byteLength > maxInvokeBytes) throw tooLarge(where, body.byteLength);
  const command = new InvokeEndpointWithResponseStreamCommand({
    EndpointName: endpoint.name,
    ContentType: "application/json",
    Accept: "text/event-stream",
    Body: body,
  });
  try {
    const { Body } = await endpoint.client.send(command, { abortSignal: signal });
    const pieces: Uint8Array[] = [];
    for await (const event of Body ?? []) {
      const failure = event.ModelStreamError ?? event.InternalStreamFailure;
      if (failure) throw failure;
      if (event.PayloadPart?.Bytes) pieces.push(event.PayloadPart.Bytes);
    }
    return Buffer.concat(pieces).toString("utf8");
  } catch (error) {
    throw invokeError(error, where, body.byteLength);
  }
};
