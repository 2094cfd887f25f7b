import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { processesThatKnow } from './processes-that-know.js';

test('a process is found by its environment for as long as it runs', async () => {
  const text = `known-${process.pid}`;
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { env: { IT: text } });
  const ended = once(child, 'exit');
  await once(child, 'spawn');

  expect(await processesThatKnow(text)).toEqual([expect.stringContaining(`${child.pid} `)]);

  child.stdin.end();
  await ended;
  expect(await processesThatKnow(text)).toEqual([]);
});
