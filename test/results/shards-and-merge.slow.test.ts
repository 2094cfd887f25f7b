import { describe, expect } from 'vitest';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script } from '../support/suite-parts.js';

/** 25 tasks of eight runs: some sequential, some that fail, some in which an assertion breaks. */
const agent = {
  scripted: [{ when: 'Call', do: [callTelling('environment')] }, { do: [{ say: 'done' }] }],
};
const tasks = Object.fromEntries(
  Array.from({ length: 25 }, (_, index) => [
    `task-${index}`,
    {
      parallel: index % 5 !== 0,
      runs: 8,
      labels: { group: String(index % 3) },
      spec: {
        verify: [script(index % 7 === 0 ? 'exit 1' : 'exit 0')],
        // A server for each of 200 task runs would take longer than all the rest.
        prompt: { inline: index % 8 === 0 ? 'Call it' : 'Say it' },
        ...(index % 6 === 0 && { assertions: { maxToolCalls: 0 } }),
      },
    },
  ]),
);

/** What differs from one run to the next by itself: when, how long, where in which journal. */
const ofOneRunAlone = new Set([
  'id',
  'from',
  'seq',
  'evidence',
  'startedAt',
  'durationMs',
  'waitedMs',
  'calls',
]);

interface Results {
  taskRuns: { task: string; run: number; calls: { name: string; args: unknown }[] }[];
  totals: object;
}

/** The results as far as two runs of one suite agree. */
function comparable(text: string) {
  const { taskRuns, totals }: Results = JSON.parse(text);
  const order = (one: { task: string; run: number }, other: { task: string; run: number }) =>
    one.task.localeCompare(other.task) || one.run - other.run;
  return {
    totals,
    taskRuns: taskRuns.sort(order).map((taskRun) => ({
      calls: taskRun.calls.map(({ name, args }) => ({ name, args })),
      told: JSON.parse(
        JSON.stringify(taskRun, (key, value) => (ofOneRunAlone.has(key) ? undefined : value)),
      ),
    })),
  };
}

async function check(suite: ScratchSuite, out: string, ...args: string[]): Promise<void> {
  const call = ['check', 'eval.yaml', '-p', '8', '--out', out, ...args];
  const { exitCode, stderr } = await suite.proctor(call);
  expect(exitCode, stderr).toBe(1);
}

describe('shards that are merged', () => {
  it('say of 200 task runs what one machine says', async ({ makeSuite }) => {
    const suite = await makeSuite({ tasks, agent });
    await check(suite, 'whole.json');
    const whole = comparable(await suite.read('whole.json'));
    expect(whole.taskRuns).toHaveLength(200);
    const shards = [1, 2, 3, 4].map((index) => `${index}.json`);
    for (const [index, out] of shards.entries()) {
      const shard = ['--shard', `${index + 1}/4`, '--shard-durations', 'whole.json'];
      await check(suite, out, ...shard);
    }
    const merged = await suite.proctor(['result', 'merge', ...shards, '--out', 'all.json']);
    expect(merged).toMatchObject({ exitCode: 0, stderr: '' });
    expect(comparable(await suite.read('all.json'))).toEqual(whole);
  });
});
