/** The strategy model contract against a script and a SageMaker endpoint. */
import { sageMakerClient } from "../../functions/_aws/clients.ts";
import { sageMakerStrategyModel } from "../../functions/_aws/sagemaker-strategy-model.ts";
import { type StrategyTurnScript, scriptedStrategyModel } from "../memory/scripted-strategy-model.ts";
import { useTestCredentials } from "./loopback.ts";
import { awsError, json, type Line, serveScript } from "./model-servers.ts";
import { strategyModelContract } from "./strategy-model-contract.ts";

strategyModelContract("script", async (script) => ({
  model: scriptedStrategyModel(script),
  close: async () => undefined,
}));

const line = (turn: StrategyTurnScript): Line => {
  switch (turn.kind) {
    case "choice": {
      const { model, ...prediction } = turn.choice;
      return json(200, { model, predictions: [{ id: "0", ...prediction }] });
    }
    case "throttled":
      return awsError(400, "ThrottlingException", { message: null });
    case "unavailable":
      return awsError(424, "ModelError", { OriginalStatusCode: 500, Message: "worker died" });
    case "refused":
      return json(200, {
        model: "convnext-1",
        predictions: [{ id: "0", error: { kind: "unreadable", message: "cut off" } }],
      });
    default:
      return turn satisfies never;
  }
};

strategyModelContract("SageMaker", async (script) => {
  const server = await serveScript(script.map(line));
  useTestCredentials();
  process.env.AWS_ENDPOINT_URL_SAGEMAKER_RUNTIME = server.url;
  const client = sageMakerClient();
  return {
    model: sageMakerStrategyModel({ client, name: "image-strategy" }, "strategy-1"),
    close: async () => {
      client.destroy();
      await server.close();
    },
  };
});
