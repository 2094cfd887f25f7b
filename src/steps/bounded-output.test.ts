import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
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

it('takes no longer for many line breaks that are not at its end', () => {
  const breaks = '\n'.repeat(400_000);
  expect(outputOf(`${breaks}x\n\n`).text.length).toBe(breaks.length + 1);
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

it('is cut at the same places, whatever pieces it comes in', () => {
  const text = Array.from({ length: 200_000 }, (_, index) => `${index}\n`).join('');
  const pieces = (size: number) =>
    Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.slice(index * size, (index + 1) * size),
    );
  const whole = outputOf(text).text;
  expect(whole).toContain('characters left out');
  for (const size of [997, 4_096, 65_536, 500_000]) {
    expect(outputOf(...pieces(size)).text === whole, `pieces of ${size}`).toBe(true);
  }
});

it('leaves no part of a secret where it is cut', () => {
  const secret = 'correct-horse-battery-staple';
  const output = outputOf(...Array.from({ length: 100_000 }, () => `${secret} `));
  expect(output.isTruncated).toBe(true);
  expect(output.text.replaceAll(secret, '')).toMatch(/^ *\n\[.* characters left out \.\.\.]\n *$/);
});

it('has the whole in a file, if it was cut', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bounded-output-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'stdout');
  const short = new BoundedOutput(file);
  short.add(Buffer.from('short'));
  expect(short.closeSpill()).toBeUndefined();
  const pieces = Array.from({ length: 100_000 }, (_, index) => `line ${index} of many\n`);
  const long = new BoundedOutput(file);
  for (const piece of pieces) long.add(Buffer.from(piece));
  expect(long.closeSpill()).toBe(file);
  expect(await readFile(file, 'utf8')).toBe(pieces.join(''));
});

it('keeps the file as it was, whatever comes too late', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'bounded-output-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'stdout');
  const text = 'a line\n'.repeat(200_000);
  const output = new BoundedOutput(file);
  output.add(Buffer.from(text));
  output.closeSpill();
  output.add(Buffer.from('from the background'));
  expect(await readFile(file, 'utf8')).toBe(text);
});

it('is there also where there is no room for the whole', () => {
  const output = new BoundedOutput('/no/such/folder/stdout');
  for (let index = 0; index < 30; index += 1) output.add(Buffer.from('x'.repeat(100_000)));
  expect(output.closeSpill()).toBeUndefined();
  expect(output.text).toContain('characters left out');
});
