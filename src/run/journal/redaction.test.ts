import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compilePattern } from '../../config/patterns/pattern.js';
import { Redactor } from '../../config/secrets/redactor.js';
import { Secrets } from '../../config/secrets/secrets.js';
import { createMemberRedaction, redactBlocks } from './redaction.js';

const digest = '0123456789abcdef0123456789abcdef';

function editFor(pattern: string) {
  const secrets = new Secrets();
  const compiled = compilePattern(pattern);
  if (compiled.ok) secrets.addPattern(compiled.pattern);
  const edit = createMemberRedaction(new Redactor(secrets));
  return (key: string, value: unknown) =>
    JSON.parse(edit(key, JSON.stringify(value), false)) as unknown;
}

it.each(['workspace', 'workdir'])(
  'redaction leaves the folder in %s as it is, so that it can be removed',
  (key) => {
    expect(editFor('[0-9a-f]{32}')(key, `/tmp/${digest}`)).toBe(`/tmp/${digest}`);
  },
);

it('redaction leaves what a run is resumed by, and redacts the rest', () => {
  const edit = editFor('[0-9a-f]{32}');
  const own = { id: digest, workspace: `/tmp/${digest}`, process: { startTime: digest } };
  expect(
    edit('evaluation', {
      ...own,
      files: [{ path: digest, sha256: digest }],
      options: { a: digest },
    }),
  ).toEqual({
    ...own,
    files: [{ path: '[redacted:pattern]', sha256: digest }],
    options: { a: '[redacted:pattern]' },
  });
  expect(edit('files', [{ path: 'a.yaml', sha256: digest }])).toEqual([
    { path: 'a.yaml', sha256: digest },
  ]);
  expect(edit('message', digest)).toBe('[redacted:pattern]');
});

const secret = 'correct-horse-battery-staple';
const secrets = new Secrets();
secrets.add('PASSWORD', secret);
const redactor = new Redactor(secrets);
const redact = (text: string) => redactor.text(text);

async function joined(chunks: readonly string[]): Promise<string> {
  async function* stream() {
    yield* chunks;
  }
  const blocks: string[] = [];
  for await (const block of redactBlocks(stream(), redactor)) blocks.push(block);
  return blocks.join('');
}

it('redactBlocks finds a secret wherever the blocks are cut', async () => {
  const parts = fc.array(
    fc.oneof(
      fc.constant(secret),
      fc.constant(` ${secret} `),
      fc.integer({ min: 1, max: 40_000 }).map((length) => 'x'.repeat(length)),
    ),
    { maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 50_000 }), async (texts, length) => {
      const text = texts.join('');
      const chunks = text.match(new RegExp(`.{1,${length}}`, 'g')) ?? [];
      const blocks = await joined(chunks);
      expect(blocks).not.toContain(secret);
      expect(blocks).toBe(redact(text));
    }),
    { numRuns: 100 },
  );
});

it('redactBlocks cuts through no character', async () => {
  for (const end of ['', 'x']) {
    const text = '🦊'.repeat(50_000) + end;
    const blocks: string[] = [];
    async function* stream() {
      yield text;
    }
    for await (const block of redactBlocks(stream(), redactor)) blocks.push(block);
    expect(blocks.length).toBeGreaterThan(1);
    expect(Buffer.concat(blocks.map((block) => Buffer.from(block))).toString()).toBe(text);
  }
});

it('redactBlocks yields a long text in blocks, and does not wait for its end', async () => {
  const chunks = Array.from({ length: 20 }, () => `${'some words '.repeat(10_000)}\n`);
  let blocks = 0;
  async function* stream() {
    yield* chunks;
  }
  for await (const _ of redactBlocks(stream(), redactor)) blocks += 1;
  expect(blocks).toBeGreaterThan(10);
});

it('redactBlocks finds a secret that is longer than a block', async () => {
  const long = Array.from({ length: 8_000 }, (_, index) => String(index).padStart(5, '0')).join('');
  const some = new Secrets();
  some.add('KUBE_TOKEN', long);
  async function* stream() {
    yield* `${'x'.repeat(60_000)}${long}${'y'.repeat(60_000)}`.match(/.{1,30000}/g) ?? [];
  }
  let text = '';
  for await (const block of redactBlocks(stream(), new Redactor(some))) text += block;
  expect(text).toBe(`${'x'.repeat(60_000)}[redacted:KUBE_TOKEN]${'y'.repeat(60_000)}`);
});
