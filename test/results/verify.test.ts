import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Verification } from '../../src/analysis/thresholds/thresholds.js';
import { ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, script, scripted } from '../support/suite-parts.js';

let suite: ScratchSuite;

/** Fails in its fourth run. */
const threeTimes = 'echo >> walked; test $(wc -l < walked) -lt 4';

beforeAll(async () => {
  suite = await ScratchSuite.create({
    agent: scripted(callTelling('echo', { text: 'hi' }), { say: 'done' }),
    tasks: { feed: {}, walk: { spec: { verify: [script(threeTimes)] } } },
    assertions: { maxToolCalls: 3 },
  });
  await suite.check(['-n', '4']);
});

afterAll(() => suite.remove());

function verify(...args: string[]) {
  return suite.proctor(['verify', ...args]);
}

async function verified(...args: string[]): Promise<Verification & { exitCode: number | null }> {
  const { exitCode, stdout } = await verify(...args, '-o', 'json');
  return { exitCode, ...JSON.parse(stdout) };
}

describe('proctor verify of a check', () => {
  it.each([
    [['--task', '0.875'], 0],
    [['--task', '0.88'], 1],
    [['--task', '1'], 1],
    [['--assertion', '1'], 0],
    // Of feed 1; of walk 1/2, as 3 of its 6 pairs are without the run that failed.
    [['--pass-hat-k', '2=0.75'], 0],
    [['--pass-hat-k', '2=0.76'], 1],
    [['--pass-hat-k', '4=0.5', '--pass-hat-k', '1=0.875'], 0],
    [['--pass-hat-k', '5=0.1'], 1],
    [['--task', '0.8', '--confidence', '0.95'], 1],
    [['--task', '0.27', '--confidence', '0.95'], 1],
    [['--task', '0.26', '--confidence', '0.95'], 0],
    [['--max-errors', '0'], 0],
    [['--task', '0.8', '--max-cost', '100'], 1],
    [['--task', '0.8', '--max-tokens', '1e9'], 1],
  ])('with %j ends with %i', async (args, exitCode) => {
    expect((await verify('out.json', ...args)).exitCode).toBe(exitCode);
    expect((await verify('out.jsonl', ...args)).exitCode).toBe(exitCode);
  });

  it('says what was found, what was wanted, and by how much it was missed', async () => {
    const thresholds = ['--task', '0.9', '--assertion', '0.9', '--max-cost', '5'];
    const { exitCode, stdout } = await verify('out.json', ...thresholds);
    expect({ exitCode, text: `\n${stdout}` }).toEqual({
      exitCode: 1,
      text: `
missed  --task  pass rate 87.5%, wanted at least 90%, missed by 2.5 points  7 of 8 judged task runs passed
holds   --assertion  assertions that held 100%, wanted at least 90%  8 of 8 assertions held
missed  --max-cost  cost unknown, wanted at most $5.00  not reported by any task run

not passed: 2 thresholds missed
`,
    });
  });

  it('tells the same as data', async () => {
    const { exitCode, passed, thresholds, confidence } = await verified(
      'out.json',
      '--task',
      '0.9',
    );
    expect({ exitCode, passed, confidence }).toEqual({
      exitCode: 1,
      passed: false,
      confidence: null,
    });
    expect(thresholds).toEqual([
      {
        option: '--task',
        applies: true,
        variant: null,
        measure: 'pass rate',
        unit: 'rate',
        kind: 'at least',
        limit: 0.9,
        found: 0.875,
        holds: false,
        missedBy: expect.closeTo(0.025, 12),
        note: '7 of 8 judged task runs passed',
      },
    ]);
  });

  it('is also a part of `proctor result`', async () => {
    const { exitCode, stdout } = await suite.proctor([
      'result',
      'verify',
      'out.json',
      '--task',
      '0.8',
    ]);
    expect(exitCode).toBe(0);
    expect(stdout).toContain('passed: the threshold holds');
  });

  it('refuses the results of a run without an agent', async () => {
    await suite.proctor(['check', 'eval.yaml', '--control', '--out', 'control.json']);
    const { exitCode, stderr } = await verify('control.json', '--task', '0.1');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('control.json comes from check --control');
  });
});

describe('a call without sense ends with 2', () => {
  it.each([
    [[], 'there is no threshold'],
    [['--confidence', '0.95'], 'there is no threshold'],
    [['--max-errors', '0', '--confidence', '0.95'], 'no threshold on a rate'],
    [['--task', '80'], 'write 0.8 for 80 percent'],
    [['--task', '0'], 'a number over 0'],
    [['--task', '-1'], '--task: expected'],
    [['--task', 'NaN'], '--task: expected'],
    [['--task', '1.01'], '--task: expected'],
    [['--assertion', ''], '--assertion: expected'],
    [['--task', '0.8', '--confidence', '95'], 'write 0.95 for 95 percent'],
    [['--task', '0.8', '--confidence', '1'], '--confidence: expected'],
    [['--pass-hat-k', '0.6'], 'write it like 3=0.6'],
    [['--pass-hat-k', '0=0.6'], 'write it like 3=0.6'],
    [['--pass-hat-k', '3='], '--pass-hat-k: expected'],
    [['--pass-hat-k', '3=0.6', '--pass-hat-k', '3=0.7'], '3 is there twice'],
    [['--max-cost', 'much'], 'write it like 2.50'],
    [['--max-cost', '-1'], '--max-cost: expected'],
    [['--max-tokens', '1.5'], 'a whole number'],
    [['--max-errors', '1e99'], 'a whole number'],
  ])('such as %j', async (args, reason) => {
    const { exitCode, stdout, stderr } = await verify('out.json', ...args);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(reason);
  });
});
