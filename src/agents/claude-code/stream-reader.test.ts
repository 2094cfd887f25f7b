import { expect, it } from 'vitest';
import { StreamReader } from './stream-reader.js';

function readCalls(count: number): number {
  const input = { text: 'x'.repeat(100) };
  const content = Array.from({ length: count }, () => ({ type: 'tool_use', name: 'echo', input }));
  let steps = 0;
  const reader = new StreamReader(() => steps++);
  reader.push(Buffer.from(`${JSON.stringify({ type: 'assistant', message: { content } })}\n`));
  return steps;
}

// Looked for anew for each of them, the arguments would take hours.
it('reads a line with very many calls', () => {
  expect(readCalls(50_000)).toBe(50_000);
});
