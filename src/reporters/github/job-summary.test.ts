import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appendJobSummary } from './job-summary.js';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-summary-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const oneMiB = 1024 * 1024;

describe('appendJobSummary', () => {
  it('keeps what others wrote', async () => {
    const file = join(folder, 'summary.md');
    await appendJobSummary(file, 'one');
    await appendJobSummary(file, 'two');
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
  });

  it('cuts at the end of a line what is more than GitHub takes', async () => {
    const file = join(folder, 'summary.md');
    await writeFile(file, 'before\n');
    await appendJobSummary(file, 'ünïcödé line\n'.repeat(100_000));
    const text = await readFile(file, 'utf8');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(oneMiB);
    expect(Buffer.byteLength(text)).toBeGreaterThan(oneMiB - 200);
    expect(text).toMatch(
      /ünïcödé line\n\n_\[\.\.\. the rest is left out: GitHub takes 1 MiB \.\.\.\]_\n$/,
    );
  });

  it('writes nothing where there is no room', async () => {
    const file = join(folder, 'summary.md');
    await writeFile(file, 'x'.repeat(oneMiB));
    await appendJobSummary(file, 'more');
    expect((await readFile(file)).length).toBe(oneMiB);
  });
});
