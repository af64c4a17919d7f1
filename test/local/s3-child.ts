/** An embedded S3 in a process of its own, which a test may kill; tells its address and its memory over IPC. */
import { startS3 } from "../../infra/local/s3/server.ts";

const sampleMs = 20;
let peak = 0;

const server = await startS3({ directory: process.argv[2], region: "eu-west-1", deliver: async () => {} });
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage().rss);
}, sampleMs);
process.on("message", () => {
  process.send?.({ rss: process.memoryUsage().rss, peak });
  peak = 0;
});
process.send?.({ url: server.url });
