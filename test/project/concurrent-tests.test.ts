import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { onLoneTestFinished } from '../../testing/test-end.js';

const root = path.resolve(import.meta.dirname, '../..');
/** Vitest's own is for tests that run alone, so helpers leave it to the one that makes sure of that. */
const importsItsEnd = /^import \{[^}]*\bonTestFinished\b[^}]*\} from 'vitest'/m;

async function filesWithTests(): Promise<string[]> {
  const inSource = await readdir(path.join(root, 'src'), { recursive: true });
  const shared = await readdir(path.join(root, 'testing'));
  const inTest = await readdir(path.join(root, 'test'), { recursive: true });
  return [
    ...inSource.filter((name) => name.endsWith('.test.ts')).map((name) => `src/${name}`),
    ...shared.map((name) => `testing/${name}`),
    ...inTest.filter((name) => name.endsWith('.ts')).map((name) => `test/${name}`),
  ];
}

describe.concurrent('what ends with a test', () => {
  it('is told by the test itself where tests run at once', async () => {
    const importing: string[] = [];
    for (const name of await filesWithTests()) {
      const text = await readFile(path.join(root, name), 'utf8');
      const mayRunAtOnce = !name.endsWith('.test.ts') || text.includes('.concurrent');
      if (mayRunAtOnce && importsItsEnd.test(text)) importing.push(name);
    }
    expect(importing).toEqual(['testing/test-end.ts']);
  });

  it('is refused by helpers that a concurrent test did not give its own end', () => {
    expect(() => onLoneTestFinished(() => {})).toThrow('has to give its own onTestFinished');
  });
});
