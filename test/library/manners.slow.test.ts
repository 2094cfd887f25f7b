import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { markedProcesses } from '../../testing/marked-processes.js';
import { LibraryConsumer } from '../support/library-consumer.js';

/** Prints one line of JSON at its end: what it saw, and what is left of it in the process. */
const program = (body: string) => `
import { openResults, runEval, startEval, UsageError, writeReport } from 'mcp-proctor';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'uncaughtException', 'unhandledRejection', 'exit'];
const count = () => Object.fromEntries(signals.map((name) => [name, process.listenerCount(name)]));
const { exit, emitWarning } = process;
const variables = JSON.stringify(process.env);
const environment = { ...process.env, ...JSON.parse(process.env.GIVEN) };
const seen = {};
await runEval('eval.yaml', { run: 'coffee', environment });
const before = count();
${body}
const after = count();
// Reached only if nothing keeps the process alive.
process.once('beforeExit', () => console.log(JSON.stringify({
  seen,
  isUntouched:
    process.exit === exit && process.emitWarning === emitWarning &&
    !process.hasUncaughtExceptionCaptureCallback() && JSON.stringify(process.env) === variables,
  listeners: { before, after },
})));
`;

interface Printed {
  seen: Record<string, unknown>;
  isUntouched: boolean;
  listeners: { before: object; after: object };
}

let consumer: LibraryConsumer;

beforeAll(async () => {
  consumer = await LibraryConsumer.create();
});

/** Runs a program, and expects that nothing is left of it. */
async function run(name: string, body: string): Promise<Printed['seen']> {
  const mark = `library-${name}-${process.pid}`;
  const summary = consumer.path(`${name}-summary.md`);
  await consumer.write(`${name}.mjs`, program(body));
  const given = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary, MARK: mark };
  const { stdout, stderr } = await consumer.node([`${name}.mjs`], { GIVEN: JSON.stringify(given) });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toHaveLength(1);
  const printed = JSON.parse(stdout) as Printed;
  expect(printed.isUntouched).toBe(true);
  expect(printed.listeners.after).toEqual(printed.listeners.before);
  expect(printed.listeners.before).toMatchObject({ SIGINT: 0, SIGTERM: 0, SIGHUP: 0 });
  expect(existsSync(summary)).toBe(false);
  expect(markedProcesses(`MARK=${mark}`)).toEqual([]);
  expect(await readdir(consumer.temporaryFolder)).toEqual([]);
  return printed.seen;
}

describe.sequential('a program that uses the library', () => {
  it('can run evals one after the other and beside each other, and ends by itself', async () => {
    const seen = await run(
      'several',
      `
const short = runEval('eval.yaml', { run: 'coffee', out: 'short.json', environment });
const long = runEval('eval.yaml', { out: 'long.json', parallel: 1, environment });
const [one, other] = await Promise.all([short, long]);
const again = await runEval('eval.yaml', { run: 'milk', environment });
seen.statuses = [one, other, again].map(({ status }) => status);
seen.passed = [one, other, again].map(({ totals }) => totals.outcomes.passed);
seen.files = [one, other, again].map(({ resultsPath }) => resultsPath?.split('/').at(-1) ?? null);
`,
    );
    expect(seen).toEqual({
      statuses: ['passed', 'passed', 'passed'],
      passed: [1, 11, 1],
      files: ['short.json', 'long.json', null],
    });
  });

  it('can abort a run in the middle, and gets the results of what was done', async () => {
    const seen = await run(
      'abort',
      `
const stop = new AbortController();
const started = startEval('eval.yaml', { out: 'aborted.json', signal: stop.signal, environment });
for await (const event of started.events) {
  if (event.type === 'mcp-call') stop.abort();
}
const aborted = await started.result;
seen.aborted = [aborted.status, aborted.end, aborted.totals.notRun > 0];
const resumed = await runEval('eval.yaml', { out: 'aborted.json', resume: true, environment });
seen.resumed = [resumed.status, resumed.totals.outcomes.passed];
seen.before = await runEval('eval.yaml', { signal: stop.signal, environment }).catch(
  (error) => error === stop.signal.reason,
);
const early = startEval('eval.yaml', { environment });
early.interrupt();
seen.early = await early.result.catch((error) => error.name);
`,
    );
    expect(seen).toEqual({
      aborted: ['interrupted', 'interrupted', true],
      resumed: ['passed', 11],
      before: true,
      early: 'AbortError',
    });
  });

  it('is refused a results file that another run of it writes', async () => {
    const seen = await run(
      'locked',
      `
const first = startEval('eval.yaml', { run: 'milk', out: 'same.json', environment });
for await (const { type } of first.events) if (type === 'run-started') break;
seen.second = await runEval('eval.yaml', { run: 'milk', out: 'same.json', environment }).catch(
  (error) => [error instanceof UsageError, error.message.includes('is in use')],
);
seen.first = (await first.result).status;
`,
    );
    expect(seen).toEqual({ second: [true, true], first: 'passed' });
  });

  it('can name a report like an eval whose results are in memory, but not like results that are read', async () => {
    const seen = await run(
      'report',
      `
const kept = await runEval('eval.yaml', { run: 'coffee', out: 'kept.json', environment });
const { name, results } = await runEval('eval.yaml', { run: 'coffee', environment });
await writeReport([results, kept.results], name);
await writeReport([await openResults(results, { task: 'coffee' })], name);
seen.name = name;
seen.refused = await writeReport([results, kept.results], 'kept.json').catch(
  (error) => [error instanceof UsageError, error.message.includes('would be overwritten')],
);
`,
    );
    expect(seen).toEqual({ name: 'quickstart', refused: [true, true] });
    expect(existsSync(consumer.path('quickstart'))).toBe(true);
  });

  it('gets what reporters do wrong, and is not harmed by it', async () => {
    const seen = await run(
      'reporters',
      `
const types = new Set();
const reporters = [
  { onEvent: ({ type }) => void types.add(type) },
  () => ({ onEnd: () => { throw new Error('no paper'); } }),
  { onEnd: ({ results }) => void (seen.path = typeof results.path) },
  'junit=junit.xml',
];
const ended = await runEval('eval.yaml', { run: 'coffee', reporters, environment });
seen.run = [ended.status, ended.reporterFailures];
seen.types = types.has('run-started') && types.has('run-ended');
seen.refused = await runEval('eval.yaml', { reporters: ['junit'] }).catch(({ message }) => message);
let text = '';
const stdout = { write: (part) => void (text += part) };
await runEval('eval.yaml', { run: 'coffee', reporters: ['tap'], stdout, environment });
seen.tap = text.startsWith('TAP version 14');
`,
    );
    expect(seen).toEqual({
      path: 'string',
      run: ['passed', ['reporter number 2: no paper']],
      types: true,
      refused: '--reporter junit: there is no file to write to',
      tap: true,
    });
    expect(existsSync(consumer.path('junit.xml'))).toBe(true);
  });
});
