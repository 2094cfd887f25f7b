import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import * as z from 'zod/mini';
import { main } from '../../src/cli/main.js';
import { assertionDefinitions } from '../../src/config/schemas/assertions-schema.js';
import { testDepth } from '../../testing/test-depth.js';
import { examples, fixtures } from '../support/cli.js';

/** Suites that between them use every part of the formats; `addAssertions` adds to the second. */
const sources = [path.join(examples, 'quickstart'), path.join(fixtures, 'everything')];
const folder = mkdtempSync(path.join(tmpdir(), 'proctor-mutated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const suites = sources.map((source, index) => {
  const copy = path.join(folder, String(index));
  cpSync(source, copy, { recursive: true });
  const files = readdirSync(copy, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|json|md)$/.test(name))
    .map((name) => path.join(copy, name));
  const evalFile = path.join(copy, 'eval.yaml');
  if (index === 1) addAssertions(evalFile);
  return { eval: evalFile, files };
});

/** Adds the assertions that an eval does not use yet, with the examples of their schemas. */
function addAssertions(evalFile: string): void {
  const document = parseDocument(readFileSync(evalFile, 'utf8'));
  for (const [name, { schema }] of Object.entries(assertionDefinitions)) {
    const place = ['config', 'taskSets', 0, 'assertions', name];
    const { examples = [] } = z.globalRegistry.get(schema) ?? {};
    if (!document.hasIn(place)) document.setIn(place, (examples as unknown[])[0]);
  }
  writeFileSync(evalFile, document.toString());
}

const fragments = [
  ...['&a ', '*a', '<<: *a', '!!str ', '!x ', '? ', ': ', '- ', '{', '}', '[', ']', ',', '|', '>'],
  ...['"', "'", '#', '%', '@', '`', '\t', '\r', '\n', '\n---\n', '\n...\n', '\0', '\u001b[2J'],
  ...[
    '\u202e',
    '\ud800',
    '😀',
    '\ufeff',
    'null',
    '~',
    'true',
    '-1',
    '1e999',
    '.nan',
    '0x',
    '[]',
    '{}',
  ],
  ...['${X}', '{env.X}', '{steps.a.b}', '{{ .Prompt }}', '{{', '(?=', '*', '**', '../../..', '/'],
  ...['kind: Task', '__proto__: {a: 1}', 'constructor: x', 'toString: 1', '99999999999999999999'],
  'x'.repeat(5000),
  '['.repeat(500),
];

interface Mutation {
  suite: number;
  file: number;
  edits: { kind: number; at: number; length: number; fragment: number }[];
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  suite: fc.nat(suites.length - 1),
  file: fc.nat(20),
  edits: fc.array(
    fc.record({
      kind: fc.nat(5),
      at: fc.double({ min: 0, max: 1, noNaN: true }),
      length: fc.nat(30),
      fragment: fc.nat(fragments.length - 1),
    }),
    { minLength: 1, maxLength: 4 },
  ),
});

function mutate(text: string, { edits }: Mutation): string {
  let result = text;
  for (const { kind, at, length, fragment } of edits) {
    const start = Math.floor(at * result.length);
    const rest = result.slice(start + length);
    const inserted = fragments[fragment] ?? '';
    const lines = result.split('\n');
    const line = Math.floor(at * lines.length);
    if (kind === 0) result = result.slice(0, start) + inserted + result.slice(start);
    else if (kind === 1) result = result.slice(0, start) + rest;
    else if (kind === 2) result = result.slice(0, start) + inserted + rest;
    else if (kind === 3) result = lines.toSpliced(line, 1).join('\n');
    else if (kind === 4) result = lines.toSpliced(line, 0, lines[line] ?? '').join('\n');
    else result = lines.toSpliced(line, 1, `${' '.repeat(length % 5)}${lines[line]}`).join('\n');
  }
  return result;
}

async function validate(file: string) {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  const stream = { write, isTerminal: false };
  const io = { stdout: stream, stderr: stream, environment: {} };
  const exitCode = await main(['validate', file], io);
  return { exitCode, output };
}

const mutations = Math.round(3_000 * testDepth);

const readable = /^\S.*:\d+:\d+ {2}(error|warning) {2}\[[a-z-]+\] {2}\S/m;

it.each(suites)('the suite $eval is valid before it is mutated', async (suite) => {
  const { exitCode, output } = await validate(suite.eval);
  expect(exitCode, output).toBe(0);
});

describe('mutated suites', () => {
  it('give exit code 0, or 2 with a readable problem, and nothing else', {
    timeout: 600_000,
  }, async () => {
    const codes = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(mutation, async (mutated) => {
        const suite = suites[mutated.suite];
        const file = suite?.files[mutated.file % suite.files.length];
        if (!suite || !file) throw new Error('no file');
        const original = readFileSync(file);
        try {
          writeFileSync(file, mutate(original.toString('utf8'), mutated));
          const { exitCode, output } = await validate(suite.eval);
          codes.set(exitCode, (codes.get(exitCode) ?? 0) + 1);
          expect([0, 2]).toContain(exitCode);
          if (exitCode === 2) expect(output).toMatch(readable);
          // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get through.
          expect(output).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
        } finally {
          writeFileSync(file, original);
        }
      }),
      { numRuns: mutations },
    );
    // Mutations that were all fatal, or all harmless, would test little.
    expect(codes.get(0)).toBeGreaterThan(mutations / 20);
    expect(codes.get(2)).toBeGreaterThan(mutations / 20);
  });
});
