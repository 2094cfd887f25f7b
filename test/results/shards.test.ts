import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { journalOfRuns } from '../support/journal-of-runs.js';
import { ScratchSuite } from '../support/scratch-suite.js';

let suite: ScratchSuite;

/** The journal of an evaluation that is a shard. */
async function shard(name: string, part: string): Promise<void> {
  const runs = [{ task: name, outcome: 'passed' as const }];
  await suite.write(`${name}.jsonl`, journalOfRuns(name, runs, { options: { shard: part } }));
}

beforeAll(async () => {
  suite = await ScratchSuite.create({ tasks: {} });
  for (const index of [1, 2, 3]) await shard(`s${index}`, `${index}/3`);
  await shard('again', '1/3');
});

afterAll(() => suite.remove());

const verify = (...args: string[]) => suite.proctor(['verify', '--task', '0.9', ...args]);
const merge = (out: string, ...args: string[]) =>
  suite.proctor(['result', 'merge', ...args, '--out', out]);

describe('verify', () => {
  it.each([
    [['s1', 's3'], 'shard 2/3 is missing'],
    [['s3'], undefined],
    [['s2', 's3', 's1'], undefined],
    [['s1', 'again'], 'shards 2/3, 3/3 are missing'],
    [['s1', 's2', 's3', 'again'], 'shards 2/3, 3/3 are missing'],
  ])('of %j', async (names, missing) => {
    const files = names.map((name) => `${name}.jsonl`);
    const { exitCode, stdout } = await verify(...files);
    expect(exitCode).toBe(missing === undefined ? 0 : 1);
    if (missing === undefined) {
      expect(stdout).not.toContain('missing');
      return;
    }
    expect(stdout).toContain(`unfinished: ${missing}\n`);
    expect(stdout).toContain('not passed: the results are unfinished');
    expect((await verify(...files, '--allow-unfinished')).exitCode).toBe(0);
  });

  it('knows what was merged, also if it is only one', async () => {
    const two = await merge('two.json', 's1.jsonl', 's3.jsonl');
    expect(two).toMatchObject({ exitCode: 0, stderr: 'warning shard 2/3 is missing\n' });
    await merge('one.json', 's1.jsonl');
    await merge('all.json', 's1.jsonl', 's2.jsonl', 's3.jsonl');
    const codes = async (...files: string[]) => (await verify(...files)).exitCode;
    expect(await codes('two.json')).toBe(1);
    expect(await codes('one.json')).toBe(1);
    expect(await codes('all.json')).toBe(0);
    expect(await codes('two.json', 's2.jsonl')).toBe(0);
    // Told twice, it is still one.
    expect(await codes('two.json', 's1.jsonl', 's2.jsonl')).toBe(0);
  });

  it('of one shard says what it is of', async () => {
    const { stdout } = await verify('s3.jsonl');
    expect(stdout).toContain('this is shard 3 of 3: the others are not in it\n');
  });
});

describe('summary', () => {
  const summary = async (...args: string[]) => (await suite.proctor(['summary', ...args])).stdout;

  it('says which shard is missing, in every format', async () => {
    const files = ['s1.jsonl', 's3.jsonl'];
    const sentence = 'unfinished: shard 2/3 is missing';
    expect((await summary(...files)).split('\n')[0]).toBe(`note: ${sentence}`);
    const markdown = await summary(...files, '-o', 'markdown');
    expect(markdown).toContain(`> ⚠️ \`${sentence}\``);
    expect(markdown.split('\n')[0]).toContain('⚠️ 2 of 2 judged task runs passed');
    expect(JSON.parse(await summary(...files, '-o', 'json'))).toMatchObject({
      unfinished: [{ why: 'shards', of: 3, indexes: [2], count: 1 }],
      shard: null,
    });
  });

  it('says of one shard which it is', async () => {
    expect((await summary('s2.jsonl')).split('\n')[0]).toBe(
      'note: this is shard 2 of 3: the others are not in it',
    );
    expect(JSON.parse(await summary('s2.jsonl', '-o', 'json'))).toMatchObject({
      unfinished: [],
      shard: { index: 2, of: 3 },
    });
  });
});
