import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';

/** Parts of this length, taken so far from each other: ten characters in a row have one in them. */
const [partLength, distance] = [8, 3];

/** Neither the secrets nor a part of one, however it is spelled. */
export function expectNoTrace(where: string, text: string, secrets: readonly string[]): void {
  for (const part of partsOf(secrets)) {
    const at = text.indexOf(part);
    const around = at === -1 ? '' : text.slice(Math.max(0, at - 100), at + 100);
    expect(around, `a part of a secret is in ${where}`).toBe('');
  }
}

/** Looks at the names and the contents of all files of a folder, but for those that are given. */
export function expectNoTraceInFiles(
  folder: string,
  secrets: readonly string[],
  given: ReadonlySet<string> = new Set(),
): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    // Proctor's own compiled code is large, and of no interest.
    if (given.has(file) || file.includes('/.cache/mcp-proctor/')) continue;
    expectNoTrace('the name of a file', file, secrets);
    if (entry.isFile()) expectNoTrace(file, readFileSync(file, 'utf8'), secrets);
  }
}

export function filesOf(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Set(entries.map(({ parentPath, name }) => path.join(parentPath, name)));
}

function partsOf(secrets: readonly string[]): string[] {
  const spellings = secrets.flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    encodeURIComponent(secret),
  ]);
  return [...new Set(spellings)].flatMap((spelling) => {
    const count = Math.floor((spelling.length - partLength) / distance) + 1;
    return Array.from({ length: count }, (_, index) =>
      spelling.slice(index * distance, index * distance + partLength),
    );
  });
}
