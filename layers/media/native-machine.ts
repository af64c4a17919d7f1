/** Reads from a native file which processor it was compiled for. Called by the media layer's build and its test. */
import { open } from "node:fs/promises";

const elfMachines: Readonly<Record<number, string>> = { 62: "x64", 183: "arm64" };
const machOMachines: Readonly<Record<number, string>> = { 16777223: "x64", 16777228: "arm64" };
const portableExecutableMachines: Readonly<Record<number, string>> = { 34404: "x64", 43620: "arm64" };

/** Processor in Node's words (`arm64`, `x64`), or null where the file is no native one that is known here. */
export const nativeMachine = async (file: string): Promise<string | null> => {
  const handle = await open(file);
  try {
    const head = Buffer.alloc(4096);
    await handle.read(head, 0, head.length, 0);
    return machineOf(head);
  } finally {
    await handle.close();
  }
};

const machineOf = (head: Buffer): string | null => {
  if (head.subarray(0, 4).toString("latin1") === "\x7fELF") return elfMachines[head.readUInt16LE(18)] ?? null;
  if (head.readUInt32LE(0) === 0xfeedfacf) return machOMachines[head.readUInt32LE(4)] ?? null;
  if (head.subarray(0, 2).toString("latin1") === "MZ") {
    const signature = head.readUInt32LE(0x3c);
    if (signature + 6 > head.length) return null;
    return portableExecutableMachines[head.readUInt16LE(signature + 4)] ?? null;
  }
  return null;
};
