import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  agentFinished,
  assertion,
  call,
  ended,
  JournalBuilder,
  started,
} from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import { writeResults } from '../write/write-results.js';
import { jsonSchemaOf } from './json-schemas.js';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'results-schema-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** Everything that can be in results. */
async function fullResults() {
  const builder = new JournalBuilder({
    taskRuns: 2,
    agent: { name: 'a', type: 'command', model: 'm', version: '1' },
    options: { runs: 2, labelSelector: ['a=b'] },
  });
  const taskRun = 'feed-1';
  builder.add({
    type: 'server-checked',
    server: 'pets',
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'pets', version: '1' },
    tools: new RawJson('[{"name":"feed"}]'),
    resources: new RawJson('[]'),
    resourceTemplates: new RawJson('[]'),
    prompts: new RawJson('[]'),
    allowedTools: ['feed'],
    durationMs: 1,
  });
  builder.add(started({ difficulty: 'easy', labels: { area: 'cats' } }));
  for (let index = 0; index < 101; index++) {
    builder.add({
      type: 'warning',
      code: 'stream-cut',
      message: 'x',
      server: 'pets',
      details: 'y',
    });
    builder.add({ type: 'warning', taskRun, code: 'stream-cut', message: 'x' });
  }
  for (const phase of ['setup', 'verify', 'cleanup'] as const) {
    builder.add({ type: 'phase-started', taskRun, phase });
    builder.add({
      type: 'step-ended',
      taskRun,
      phase,
      step: 1,
      kind: 'script',
      id: 'x',
      source: { file: 'tasks/feed.yaml', line: 3 },
      passed: false,
      outcome: 'timeout',
      message: 'too slow',
      outputs: { stdout: 'x' },
      truncated: ['stdout'],
      durationMs: 1.5,
    });
    const message = 'step 1';
    const outcome = 'failed';
    builder.add({ type: 'phase-ended', taskRun, phase, outcome, durationMs: 1, message });
  }
  builder.add({
    type: 'agent-output',
    taskRun,
    kind: 'tool-call',
    tool: 'x',
    id: 'y',
    args: new RawJson('[]'),
  });
  builder.add({ type: 'agent-output', taskRun, kind: 'tool-result', isError: true, text: 'z' });
  for (const event of agentFinished()) builder.add(event);
  builder.add(call({ kind: 'prompt', cancelled: true, retries: 1, error: new RawJson('{}') }));
  builder.add(call({ call: 2, unfinished: true, blocked: true, tokens: { args: 1, result: 2 } }));
  builder.add(assertion({ details: ['x'], calls: [0, 1] }));
  const failure = { category: 'verification-failed', message: 'x', evidence: 4 } as const;
  const usage = { inputTokens: 1, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1 };
  const permissionDenials = [{ tool: 'Bash' }];
  const spent = { usage, cost: 0.1, costSource: 'priced' } as const;
  const more = { ...spent, judge: spent, permissionDenials, workdir: '/x', cleanupFailed: true };
  builder.add(ended({ outcome: 'failed', failure, waitedMs: 5, ...more, cleanupFailed: true }));
  builder.add(started({ taskRun: 'b', task: 'b' }));
  builder.add(ended({ taskRun: 'b', task: 'b', verified: true, assertionsHeld: null }));
  const budget = { kind: 'cost', limit: 1, spent: 1.5 } as const;
  const early = { interrupted: true, bailed: true, budget } as const;
  builder.add({ type: 'run-ended', durationMs: 3, calls: 2, ...early });
  return resultsOf(builder.text);
}

async function resultsOf(journal: string) {
  const path = join(folder, 'out.jsonl');
  await writeFile(path, journal);
  await writeResults(path, join(folder, 'out.json'));
  return JSON.parse(await readFile(join(folder, 'out.json'), 'utf8'));
}

const strictly = { strict: true, allErrors: true, strictRequired: false, strictTypes: false };

/** Fields may be added without a new version; what we write has to be described all the same. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]) => [
    key,
    key === 'examples' ? value : closed(value),
  ]);
  const isOpen = 'properties' in schema && 'type' in schema;
  return { ...Object.fromEntries(entries), ...(isOpen ? { additionalProperties: false } : {}) };
}

describe('the JSON Schema of results', () => {
  const validate = new Ajv2020(strictly).compile(jsonSchemaOf('results'));

  it('describes everything that we write', async () => {
    const schema = closed(jsonSchemaOf('results')) as object;
    const validateClosed = new Ajv2020(strictly).compile(schema);
    for (const results of [await fullResults(), await resultsOf(new JournalBuilder().text)]) {
      validateClosed(results);
      expect(validateClosed.errors ?? []).toEqual([]);
    }
  });

  it('takes fields that it does not know yet', async () => {
    const results = await fullResults();
    results.taskRuns[0].more = 1;
    expect(validate({ ...results, more: true })).toBe(true);
  });

  it.each([
    ['no schema', (results) => delete results.schema],
    ['another schema', (results) => (results.schema = 'mcp-proctor/results/v2')],
    ['no task runs', (results) => delete results.taskRuns],
    ['an unknown outcome', (results) => (results.taskRuns[0].outcome = 'great')],
    ['an unknown category', (results) => (results.taskRuns[0].failure.category = 'x')],
    ['runs that count from 0', (results) => (results.taskRuns[0].run = 0)],
    ['a call without a kind', (results) => delete results.taskRuns[0].calls[0].kind],
    ['a call that is other', (results) => (results.taskRuns[0].calls[0].kind = 'other')],
    ['an assertion of no place', (results) => delete results.taskRuns[0].assertions[0].at],
    ['totals without outcomes', (results) => delete results.totals.outcomes],
  ] as [string, (results: Awaited<ReturnType<typeof fullResults>>) => void][])(
    'refuses %s',
    async (_, breakIt) => {
      const results = await fullResults();
      breakIt(results);
      expect(validate(results)).toBe(false);
    },
  );
});
