/** `.touchstone/session.json`: where the running embedded stack can be reached. `npm start` writes it, the CLI reads it. */
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import * as z from "zod";
import { CliProblem, failure } from "./problem.ts";
import { problemWords } from "./words/problem-words.ts";

export const sessionSchema = z.strictObject({
  schema: z.literal(1),
  pid: z.int().min(1),
  /** ISO 8601. */
  startedAt: z.string().min(1),
  region: z.string().min(1),
  endpoints: z.strictObject({
    s3: z.url(),
    sqs: z.url(),
    dynamodb: z.url(),
    sagemaker: z.url(),
  }),
  credentials: z.strictObject({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) }),
  /** Stack name → output key → value. */
  outputs: z.record(z.string(), z.record(z.string(), z.string())),
});
export type Session = z.infer<typeof sessionSchema>;

const nothingRunsCode = "nothing-runs";

/** Whether a command could not connect because no embedded stack is up. */
export const isNothingRunning = (error: unknown): boolean =>
  error instanceof CliProblem && error.code === nothingRunsCode;

export const projectRoot = path.resolve(import.meta.dirname, "../..");

export const sessionPath = (root: string = projectRoot): string =>
  path.join(root, ".touchstone", "session.json");

/** The session of a process that still runs; a problem that says what to do in every other case. */
export const readSession = async (file: string): Promise<Session> => {
  const text = await readText(file);
  if (text === null) throw failure(problemWords.nothingRuns(), nothingRunsCode);
  const session = parseSession(text);
  if (session === null) throw failure(problemWords.badSession(file));
  if (!isAlive(session.pid)) throw failure(problemWords.nothingRuns(), nothingRunsCode);
  return session;
};

/** Null where the text is no session file. */
export const parseSession = (text: string): Session | null => {
  try {
    return sessionSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
};

/** Written beside and renamed, so that nobody ever reads half of it. */
export const writeSession = async (file: string, session: Session): Promise<void> => {
  await mkdir(path.dirname(file), { recursive: true });
  const beside = `${file}.${process.pid}`;
  await writeFile(beside, `${JSON.stringify(sessionSchema.parse(session), null, 2)}\n`, { mode: 0o600 });
  await rename(beside, file);
};

const readText = async (file: string): Promise<string | null> => {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Alive, but another user's.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};
