import { describe, expect } from 'vitest';
import { eventsOf, journalEvents } from '../support/check-journal.js';
import { costOfAnswer, usage } from '../support/metered-suite.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { it as queueIt } from '../support/queue-suites.js';
import { script, scripted } from '../support/suite-parts.js';

const failing = { parallel: true, spec: { verify: [script('exit 1')] } };
const passing = { parallel: true };
const out = ['--out', 'out.json'];

/** A model that answers once for every task run, with what workers need to ask it. */
const it = queueIt.extend<{ model: { server: ModelServer; env: Record<string, string> } }>({
  model: async ({ onTestFinished }, use) => {
    const server = await ModelServer.start(() => ({ text: 'Done.', usage }));
    onTestFinished(() => server.close());
    const env = { OPENAI_API_KEY: 'sk-scripted-model', OPENAI_BASE_URL: `${server.url}/v1` };
    await use({ server, env });
  },
});
const modelAgent = { builtin: { type: 'llm-agent', model: 'openai:gpt-5-mini' } };

describe('over two workers', () => {
  it('--bail ends a check after so many failures, and --resume goes on', async ({ makeServed }) => {
    const inTurn = { spec: failing.spec };
    const { suite, site } = await makeServed({ tasks: { a: inTurn, b: inTurn, c: inTurn, d: {} } });
    await site.workers(['one', 'two']);

    const first = await site.check([...out, '--bail', '2']).ended;

    expect(first.exitCode, first.stderr).toBe(1);
    expect(first.stdout).toContain('2 failed, 2 not done');
    expect(JSON.parse(await suite.read('out.json'))).toMatchObject({
      bailed: true,
      totals: { planned: 4, notRun: 2 },
      taskRuns: [{ task: 'a' }, { task: 'b' }],
    });
    const rest = await site.check([...out, '--resume']).ended;
    expect(rest.exitCode, rest.stderr).toBe(1);
    expect(JSON.parse(await suite.read('out.json'))).toMatchObject({
      bailed: false,
      totals: { planned: 4, notRun: 0, outcomes: { failed: 3, passed: 1 } },
    });
  });

  it('--max-cost counts what all of them spend, also that of before', async ({
    makeServed,
    model,
  }) => {
    const { suite, site } = await makeServed({
      tasks: { a: {}, b: {}, c: {}, d: {} },
      agent: modelAgent,
    });
    await site.workers(['one', 'two'], { env: model.env });

    // The coordinator needs no key.
    const first = await site.check([...out, '--max-cost', '0.3']).ended;

    expect(first.exitCode, first.stderr).toBe(1);
    const results = JSON.parse(await suite.read('out.json'));
    expect(results).toMatchObject({
      finished: true,
      budget: { kind: 'cost', limit: 0.3, spent: expect.closeTo(2 * costOfAnswer, 9) },
      totals: { planned: 4, notRun: 2 },
    });
    expect(first.stdout).toContain('Stopped early: --max-cost was reached ($0.35 of $0.30)');
    const more = await site.check([...out, '--max-cost', '0.5', '--resume']).ended;
    expect(more.exitCode, more.stderr).toBe(1);
    expect(model.server.requests).toHaveLength(3);
    const rest = await site.check([...out, '--resume']).ended;
    expect(rest.exitCode, rest.stderr).toBe(0);
    expect(model.server.requests).toHaveLength(4);
  });

  it('--max-tokens lets what runs come to its end', async ({ makeServed, model }) => {
    const { suite, site } = await makeServed({
      tasks: Object.fromEntries([1, 2, 3, 4, 5, 6].map((n) => [`t${n}`, passing])),
      agent: modelAgent,
    });
    await site.workers(['one', 'two'], { env: model.env });
    const { exitCode, stderr } = await site.check([...out, '--max-tokens', '1']).ended;
    expect(exitCode, stderr).toBe(1);
    const { taskRuns, totals, budget } = JSON.parse(await suite.read('out.json'));
    expect(budget).toMatchObject({ kind: 'tokens', limit: 1 });
    // At most one on each: nothing is begun after the first has ended.
    expect(taskRuns.length).toBeGreaterThan(0);
    expect(taskRuns.length).toBeLessThanOrEqual(2);
    expect(totals.notRun).toBe(6 - taskRuns.length);
    expect(taskRuns.every(({ outcome }: { outcome: string }) => outcome === 'passed')).toBe(true);
  });

  it('--runs auto decides on all of what they did', async ({ makeServed }) => {
    const { suite, site } = await makeServed({ tasks: { a: passing, b: failing, c: {} } });
    await site.workers(['one', 'two']);
    const auto = ['--runs', 'auto', '--runs-width', '0.6', '--runs-max', '6'];
    const { exitCode, stderr } = await site.check([...out, ...auto]).ended;
    expect(exitCode, stderr).toBe(1);
    const { taskRuns, totals } = JSON.parse(await suite.read('out.json'));
    expect(totals).toMatchObject({ planned: taskRuns.length, notRun: 0 });
    for (const task of ['a', 'b', 'c']) {
      const own = taskRuns.filter((each: { task: string }) => each.task === task);
      const numbers = own
        .map(({ run }: { run: number }) => run)
        .sort((x: number, y: number) => x - y);
      expect(numbers).toEqual(own.map((_: unknown, index: number) => index + 1));
      expect(own.length).toBeGreaterThanOrEqual(3);
      expect(own.length).toBeLessThanOrEqual(6);
    }
    const decided = eventsOf(suite.path('out.jsonl'), 'runs-decided');
    expect(new Set(decided.filter(({ settled }) => settled).map(({ task }) => task)).size).toBe(3);
  });

  it('--concurrent-agents holds over both', async ({ makeServed }) => {
    const { suite, site } = await makeServed({
      tasks: { a: { parallel: true, runs: 8 } },
      agent: scripted({ say: 'done' }),
    });
    await site.workers(['one', 'two'], { args: ['--concurrency', '2'] });
    const { exitCode, stderr } = await site.check([...out, '--concurrent-agents', '1']).ended;
    expect(exitCode, stderr).toBe(0);
    expect(await mostAtOnce(suite.path('out.jsonl'))).toBe(1);
  });
});

/** The most agents that worked at the same time, by what workers noted. */
async function mostAtOnce(journal: string): Promise<number> {
  const changes = journalEvents(journal).flatMap((event) => {
    if (event.type !== 'phase-started' && event.type !== 'phase-ended') return [];
    if (event.phase !== 'agent') return [];
    return [{ at: event.at, change: event.type === 'phase-started' ? 1 : -1 }];
  });
  const sorted = changes.sort((one, other) => {
    if (one.at !== other.at) return one.at < other.at ? -1 : 1;
    return one.change - other.change;
  });
  let [working, most] = [0, 0];
  for (const { change } of sorted) {
    working += change;
    most = Math.max(most, working);
  }
  return most;
}
