/** Voided certificates as an EMF metric without dimensions, and in the log by name. LEARN publishes it. */
import type { Logger } from "@aws-lambda-powertools/logger";
import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";
import type { VoidReason } from "@touchstone/core/schema/certificate";

export const voidMetrics =
  (logger: Logger) =>
  (family: string, certificate: string, reason: VoidReason): void => {
    logger.warn("certificate void", { family, certificate, reason });
    // Powertools adds a `service` dimension by itself, and each dimension makes another billed series.
    const metrics = new Metrics({ namespace: process.env.POWERTOOLS_METRICS_NAMESPACE ?? "Touchstone" });
    metrics.clearDefaultDimensions();
    metrics.addMetric("CertificatesVoided", MetricUnit.Count, 1);
    metrics.publishStoredMetrics();
  };
