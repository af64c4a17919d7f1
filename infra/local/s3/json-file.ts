/** Small JSON files of the S3 store: written whole by rename, read back field by field without trust. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** Replaces a file in one step, so that a killed process leaves the old content or the new. */
export function writeJsonFile(path: string, value: object): void {
  const draft = `${path}.draft`;
  writeFileSync(draft, JSON.stringify(value));
  renameSync(draft, path);
}

/** A parsed JSON object that knows where it came from, for errors that name file and field. */
export class JsonRecord {
  readonly #fields: ReadonlyMap<string, unknown>;
  readonly #where: string;

  constructor(value: unknown, where: string) {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      throw new Error(`${where}: a JSON object is expected; delete the file if it was edited by hand`);
    }
    this.#fields = new Map(Object.entries(value));
    this.#where = where;
  }

  static read(path: string): JsonRecord {
    return new JsonRecord(JSON.parse(readFileSync(path, "utf8")), path);
  }

  text(name: string): string {
    const value = this.#fields.get(name);
    return typeof value === "string" ? value : this.#refuse(name, "a string");
  }

  number(name: string): number {
    const value = this.#fields.get(name);
    return typeof value === "number" ? value : this.#refuse(name, "a number");
  }

  /** A string out of a closed set. */
  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const value = this.text(name);
    return allowed.find((item) => item === value) ?? this.#refuse(name, `one of ${allowed.join(", ")}`);
  }

  texts(name: string): Record<string, string> {
    const record = new JsonRecord(this.#fields.get(name), `${this.#where} ${name}`);
    return Object.fromEntries([...record.#fields.keys()].map((key) => [key, record.text(key)]));
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields.get(name);
    return Array.isArray(value) ? value : this.#refuse(name, "a list");
  }

  records(name: string): JsonRecord[] {
    return this.list(name).map((item, index) => new JsonRecord(item, `${this.#where} ${name}[${index}]`));
  }

  #refuse(name: string, expected: string): never {
    throw new Error(`${this.#where}: field "${name}" must be ${expected}`);
  }
}
