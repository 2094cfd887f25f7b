import { expect } from 'vitest';
import { comparableResults } from '../support/comparable-results.js';
import { it, note } from '../support/queue-suites.js';
import { script } from '../support/suite-parts.js';

const calling = { prompt: { inline: 'Call it.' } };

/** What passes, and the ways not to; one after the other and beside each other. */
const kinds = {
  calls: { spec: calling },
  'calls-beside': { parallel: true, spec: calling },
  silent: { parallel: true },
  unverified: { spec: { verify: [script('exit 1')] } },
  'unverified-beside': { parallel: true, spec: { verify: [script('echo no >&2; exit 3')] } },
  'against-assertions': { parallel: true, spec: { ...calling, assertions: { maxToolCalls: 0 } } },
  'without-setup': { parallel: true, spec: { setup: [script('echo broken; exit 7')] } },
  'agent-fails': { parallel: true, spec: { prompt: { inline: 'Fail.' } } },
  'cleanup-fails': { parallel: true, spec: { cleanup: [script('exit 9')] } },
  talkative: {
    parallel: true,
    labels: { size: 'large' },
    // More than a journal takes: it is kept beside it.
    spec: { setup: [script('seq 1 200000')], verify: [script('seq 1 200000 >&2')] },
  },
};

/** Ten runs of ten tasks with each of two agents. */
const tasks = Object.fromEntries(
  Object.entries(kinds).map(([name, task]) => [name, { ...task, runs: 10 }]),
);

const agentFile = (name: string, answer: string) =>
  JSON.stringify({
    kind: 'Agent',
    metadata: { name },
    scripted: [
      { when: 'Call', do: [note, { say: answer }] },
      { when: 'Fail', do: [{ say: answer }, { fail: 'I do not know.' }] },
      { do: [{ say: answer }] },
    ],
  });
const files = {
  'agents/short.yaml': agentFile('short', 'done'),
  'agents/wordy.yaml': agentFile('wordy', 'I have done what you asked for.'),
};
const config = { matrix: { agents: ['agents/short.yaml', 'agents/wordy.yaml'] } };

it('gives the results of one machine over workers, and over shards', async ({ makeServed }) => {
  const { suite, site } = await makeServed({ tasks, files, config });
  const local = async (out: string, ...args: string[]) => {
    const call = ['check', 'eval.yaml', '-p', '4', '--out', out, ...args];
    const { exitCode, stderr } = await suite.proctor(call);
    expect(exitCode, stderr).toBe(1);
  };
  await local('out-local.json');
  const expected = await comparableResults(suite.path('out-local.json'));
  expect(expected).toMatchObject({
    finished: true,
    totals: { planned: 200, notRun: 0, outcomes: { passed: 100, failed: 60, error: 40 } },
  });

  const workers = ['w1', 'w2', 'w3', 'w4'];
  await site.workers(workers);
  const queued = await site.check(['--out', 'out-queue.json']).ended;
  expect(queued.exitCode, queued.stderr).toBe(1);
  expect(await comparableResults(suite.path('out-queue.json'))).toEqual(expected);
  const { taskRuns } = JSON.parse(await suite.read('out-queue.json'));
  expect(new Set(taskRuns.map(({ worker }: { worker: string }) => worker))).toEqual(
    new Set(workers),
  );

  const shards = [1, 2, 3].map((index) => `out-${index}.json`);
  for (const [index, out] of shards.entries()) await local(out, '--shard', `${index + 1}/3`);
  const merged = await suite.proctor(['result', 'merge', ...shards, '--out', 'out-merged.json']);
  expect(merged, merged.stderr).toMatchObject({ exitCode: 0 });
  expect(await comparableResults(suite.path('out-merged.json'))).toEqual(expected);
}, 300_000);
