/** Writes a value so that it can be pasted into a shell as one word. */

export const shellQuoted = (value: string): string =>
  /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
