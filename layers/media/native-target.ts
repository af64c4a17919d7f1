/** The platform that native packages are chosen for. Called by the media layer's build and by infra. */

export interface NativeTarget {
  /** In npm's words: `process.platform`, `process.arch` and the C library (null where there is no choice). */
  readonly os: string;
  readonly cpu: string;
  readonly libc: "glibc" | "musl" | null;
}

/** What Lambda's arm64 runtimes on Amazon Linux 2023 load. */
export const lambdaArm64: NativeTarget = { os: "linux", cpu: "arm64", libc: "glibc" };

/** The machine this process runs on. */
export const hostTarget = (): NativeTarget => ({
  os: process.platform,
  cpu: process.arch,
  libc: process.platform === "linux" ? hostLibc() : null,
});

/** Node names the glibc it runs with in its diagnostic report; on musl there is none to name. */
const hostLibc = (): "glibc" | "musl" => {
  const report: unknown = process.report.getReport();
  const header = typeof report === "object" && report !== null && "header" in report ? report.header : null;
  const named = typeof header === "object" && header !== null && "glibcVersionRuntime" in header;
  return named ? "glibc" : "musl";
};

export const sameTarget = (one: NativeTarget, other: NativeTarget): boolean =>
  one.os === other.os && one.cpu === other.cpu && one.libc === other.libc;
