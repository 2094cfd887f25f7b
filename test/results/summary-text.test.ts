import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Summary } from '../../src/analysis/summary/summary.js';
import { ended, JournalBuilder, started } from '../../testing/journals.js';
import { petsJournal } from '../support/pets-journal.js';
import { ScratchSuite } from '../support/scratch-suite.js';

let suite: ScratchSuite;

beforeAll(async () => {
  suite = await ScratchSuite.create({ tasks: {} });
});

afterAll(() => suite.remove());

function summary(...args: string[]) {
  return suite.proctor(['summary', ...args]);
}

async function summaryData(...args: string[]): Promise<Summary> {
  const { exitCode, stdout, stderr } = await summary(...args, '-o', 'json');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe('the text', () => {
  it('has a line for each task, and what matters of the whole', async () => {
    await suite.write('pets.jsonl', petsJournal({ id: 'pets' }).text);
    const { stdout } = await summary('pets.jsonl');
    expect(`\n${stdout}`).toBe(`
task  outcome  passed   rate    95% interval    p50         calls  tokens   cost
feed  flaky    2 of 3  66.7%  20.8% to 93.9%  2.0 s  12, 3 failed   37.5k  $0.75

Did not pass
  feed
    assertion-failed: feed was not called  run 1
    proctor view pets.jsonl --task '^feed$' --run 1

By difficulty
  difficulty  passed   rate    95% interval
  easy        2 of 3  66.7%  20.8% to 93.9%

By label
  label      passed   rate    95% interval
  area=pets  2 of 3  66.7%  20.8% to 93.9%

Totals
  task runs     3: 2 passed, 1 failed
  pass rate     66.7% (95% interval 20.8% to 93.9%), 2 of 3 judged task runs
  tasks         0 of 1 passed in every run
  k = 2         pass@2 100%, pass^2 33.3% (mean over 1 task)
  k = 3         pass@3 100%, pass^3 0% (mean over 1 task)
  flaky         feed (2 of 3 passed)
  assertions    2 of 3 held
  duration      a task run 2.0 s (median), p95 3.0 s, at most 3.0 s
  calls         12, 3 errors, 750 tokens of arguments and results
  model tokens  36.0k in, 1.5k out
  cost          $0.75
`);
  });

  it('never looks like a pass where nothing was judged', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    const failure = { category: 'agent-failed' as const, message: 'it broke', evidence: 2 };
    builder.add(ended({ outcome: 'error', assertionsHeld: null, failure }));
    builder.add({ type: 'run-ended', durationMs: 1000, calls: 0 });
    await suite.write('broken.jsonl', builder.text);
    const text = await summary('broken.jsonl');
    expect(text.stdout.split('\n')[0]).toBe('note: nothing was judged: there is no pass rate');
    const markdown = await summary('broken.jsonl', '-o', 'markdown');
    expect(markdown.stdout.split('\n')[0]).toBe('## Evaluation: ⚠️ nothing was judged');
    expect(text.stdout + markdown.stdout).not.toMatch(/100%|✅/);
    expect((await summaryData('broken.jsonl')).totals.rate.rate).toBeNull();
  });

  it('warns where files are of different models', async () => {
    await suite.write('small.jsonl', petsJournal({ id: 'a', model: 'small' }).text);
    await suite.write('large.jsonl', petsJournal({ id: 'b', model: 'large' }).text);
    const { stdout } = await summary('small.jsonl', 'large.jsonl');
    expect(stdout.split('\n')[0]).toBe('note: the files come from different models: small, large');
    expect(stdout).toContain('4 of 6');
  });

  it('shows what a hostile file holds, and obeys none of it', async () => {
    const builder = new JournalBuilder();
    const task = '\u001b[2J__proto__\n| <img src=x> `@all` \\| [x](javascript:1)';
    builder.add(
      started({ task, labels: { ['__proto__']: 'constructor' }, difficulty: 'toString' }),
    );
    const message = '\u001b]0;pwned\u0007 `</script>` \u202e';
    const failure = { category: 'agent-failed' as const, message, evidence: 1 };
    builder.add(ended({ task, outcome: 'failed', failure }));
    builder.add({ type: 'run-ended', durationMs: 1000, calls: 0 });
    await suite.write('hostile.jsonl', builder.text);
    const text = await summary('hostile.jsonl');
    expect(text.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    const markdown = await summary('hostile.jsonl', '-o', 'markdown');
    expect(markdown.stdout.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
    const row = markdown.stdout.split('\n').find((line) => line.includes('<img')) ?? '';
    expect(row).toMatch(/^\| ``.*`` \| ❌ failed \| 0 of 1 \|/);
    expect(row.split('|')).toHaveLength(9);
    const { byLabel } = await summaryData('hostile.jsonl');
    expect(Object.entries(byLabel)).toMatchObject([['__proto__', { constructor: {} }]]);
  });
});
