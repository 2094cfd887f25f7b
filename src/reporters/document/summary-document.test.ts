import { describe, expect, it } from 'vitest';
import type { Rate } from '../../analysis/pass-rates.js';
import type { Amounts, Summary, TaskSummary } from '../../analysis/summary/summary.js';
import { renderSummaryMarkdown } from './summary-document.js';

const amounts: Amounts = {
  durationMs: { mean: 1500, p50: 1500, p95: 65_000, max: 65_000 },
  calls: { tool: 1200, resource: 0, prompt: 0, errors: 0, suspected: 0, tokens: 0 },
  usage: null,
  cost: 0.05,
  judge: { usage: null, cost: null },
  untold: { usage: 0, cost: 0 },
};

const rate: Rate = { passed: 1, judged: 2, rate: 0.5, low: 0.1, high: 0.9 };
const outcomes = { passed: 1, failed: 1, timeout: 0, error: 0, cancelled: 0 };

const task: TaskSummary = {
  task: 'feed | <b>',
  variant: null,
  path: 'tasks/feed.yaml',
  difficulty: null,
  labels: {},
  taskRuns: 2,
  outcomes,
  rate,
  passWithK: [],
  flaky: true,
  assertions: { total: 4, passed: 3, unlisted: 0 },
  amounts,
  failures: [{ category: 'timeout', message: 'too `slow`', runs: [2], path: 'out.json', count: 2 }],
};

const summary: Summary = {
  sources: [],
  leftOut: [],
  unfinished: [],
  shard: null,
  reruns: null,
  unlikeJudging: [],
  tasks: [task],
  totals: {
    tasks: 1,
    tasksPassed: 0,
    taskRuns: 2,
    notRun: 0,
    outcomes,
    verified: 1,
    rate,
    assertions: { total: 4, passed: 3 },
    amounts,
    blocked: [],
    denied: [],
    passWithK: [{ k: 2, any: 1, all: 0, tasks: 1 }],
    flaky: ['feed | <b>'],
    estimatedTokens: 0,
    schemaTokens: null,
    schemaTokensOfRuns: null,
  },
  byDifficulty: { easy: { taskRuns: 2, outcomes, rate } },
  byLabel: { area: { pets: { taskRuns: 2, outcomes, rate } } },
  byVariant: {},
};

describe('the summary as Markdown', () => {
  it('has the answer, the totals, tasks, failures and groups, and leaves out what is not known', () => {
    expect(`\n${renderSummaryMarkdown(summary)}`).toBe(`
## Evaluation: ❌ 1 of 2 judged task runs passed

- task runs: 2: 1 passed, 1 failed
- pass rate: 50.0% (95% interval 10.0% to 90.0%), 1 of 2 judged task runs
- tasks: 0 of 1 passed in every run
- k = 2: pass@2 100%, pass^2 0% (mean over 1 task)
- flaky: \`feed | <b>\` (1 of 2 passed)
- assertions: 3 of 4 held
- duration: a task run 1.5 s (median), p95 1 m 5 s, at most 1 m 5 s
- calls: 1200, 0 errors
- cost: $0.0500

| task | outcome | passed | rate | 95% interval | p50 | calls | cost |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |
| \`feed ¦ <b>\` | ⚠️ flaky | 1 of 2 | 50.0% | 10.0% to 90.0% | 1.5 s | 1200 | $0.0500 |

### Did not pass

- \`feed | <b>\`
  - timeout: \`\` too \`slow\` \`\`  runs 2 and 1 more
  - \`proctor view out.json --task '^feed \\| <b>$' --run 2\`

### By difficulty

| difficulty | passed | rate | 95% interval |
| --- | ---: | ---: | ---: |
| \`easy\` | 1 of 2 | 50.0% | 10.0% to 90.0% |

### By label

| label | passed | rate | 95% interval |
| --- | ---: | ---: | ---: |
| \`area=pets\` | 1 of 2 | 50.0% | 10.0% to 90.0% |
`);
  });

  it('says what agents and judge used, and how many task runs did not report it', () => {
    const usage = { inputTokens: 12_000, outputTokens: 500 };
    const spent: Amounts = {
      ...amounts,
      usage,
      judge: { usage: { inputTokens: 40, outputTokens: 2 }, cost: 0.25 },
      untold: { usage: 1, cost: 2 },
    };
    const totals = { ...summary.totals, amounts: spent };
    expect(renderSummaryMarkdown({ ...summary, totals })).toContain(`
- model tokens: 12,000 in, 500 out; not reported by 1 task run
- cost: $0.0500; not reported by 2 task runs
- judge tokens: 40 in, 2 out
- judge cost: $0.25
`);
  });

  it('says in its tables that a cost is only part of the whole', () => {
    const partly = { ...task, amounts: { ...amounts, untold: { usage: 0, cost: 1 } } };
    const text = renderSummaryMarkdown({ ...summary, tasks: [partly, { ...task, task: 'whole' }] });
    expect(text).toContain('| ≥ $0.0500 |');
    expect(text).toContain('| $0.0500 |');
  });

  it.each([
    ['✅', { passed: 2, judged: 2 }, { taskRuns: 2, notRun: 0 }],
    ['⚠️', { passed: 2, judged: 2 }, { taskRuns: 3, notRun: 0 }],
    ['⚠️', { passed: 2, judged: 2 }, { taskRuns: 2, notRun: 1 }],
    ['❌', { passed: 1, judged: 2 }, { taskRuns: 2, notRun: 0 }],
  ])('has the sign %s for %j of %j', (sign, counts, totals) => {
    const given = { ...summary.totals, ...totals, rate: { ...rate, ...counts } };
    expect(renderSummaryMarkdown({ ...summary, totals: given }).split('\n')[0]).toContain(
      `: ${sign} `,
    );
  });

  it('stays short enough for a comment, those first that did not pass', () => {
    const good = { ...task, flaky: false, outcomes: { ...outcomes, failed: 0 }, failures: [] };
    const tasks = [...Array.from({ length: 5000 }, () => good), task];
    const text = renderSummaryMarkdown({ ...summary, tasks });
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain('⚠️ flaky');
    expect(text).toContain('and 4901 more tasks');
  });
});
