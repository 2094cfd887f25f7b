import { expect, it } from 'vitest';
import { BoundedOutput } from './bounded-output.js';

function outputOf(...texts: string[]): BoundedOutput {
  const output = new BoundedOutput();
  for (const text of texts) output.add(Buffer.from(text));
  return output;
}

it('is kept as a whole, without the line breaks at its end', () => {
  const output = outputOf('one\n', 'two\r\n\n');
  expect([output.text, output.isTruncated]).toEqual(['one\ntwo', false]);
});

it('is put together from pieces that end within a character', () => {
  const output = new BoundedOutput();
  for (const byte of Buffer.from('a€😀b')) output.add(Buffer.of(byte));
  expect(output.text).toBe('a€😀b');
});

it('keeps its beginning and its end', () => {
  const output = outputOf('start\n', 'x'.repeat(2_000_000), '\nend');
  expect(output.isTruncated).toBe(true);
  expect(output.text).toMatch(/^start\nx+\n\[\.\.\. \d+ characters left out \.\.\.]\nx+\nend$/);
});

it('leaves no part of a secret where it is cut', () => {
  const secret = 'correct-horse-battery-staple';
  const output = outputOf(...Array.from({ length: 100_000 }, () => `${secret} `));
  expect(output.isTruncated).toBe(true);
  expect(output.text.replaceAll(secret, '')).toMatch(/^ *\n\[.* characters left out \.\.\.]\n *$/);
});
