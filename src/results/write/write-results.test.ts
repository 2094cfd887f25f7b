import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, ended, JournalBuilder, started } from '../../../testing/journals.js';
import { RawJson } from '../../base/json-text.js';
import { formatLeftOut } from '../../journal/left-out.js';
import { journalSchema } from '../../journal/run-events.js';
import { writeResults } from './write-results.js';

let folder = '';
let journal = '';
let out = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-results-'));
  journal = join(folder, 'out.jsonl');
  out = join(folder, 'out.json');
});

afterAll(() => rm(folder, { recursive: true }));

async function resultsText(content: string): Promise<string> {
  await writeFile(journal, content);
  await writeResults(journal, out);
  return readFile(out, 'utf8');
}

const resultsOf = async (builder: JournalBuilder) => JSON.parse(await resultsText(builder.text));

describe('writeResults', () => {
  it('keeps what came over the wire as it came, however deep it is', async () => {
    const deep = `${'['.repeat(30_000)}12345678901234567890${']'.repeat(30_000)}`;
    const builder = new JournalBuilder();
    builder.add(started());
    builder.add(call({ args: new RawJson('{"a":1.0,"a":2}'), result: new RawJson(deep) }));
    builder.add(ended());
    const text = await resultsText(builder.text);
    expect(text).toContain('"args":{"a":1.0,"a":2},');
    expect(text).toContain(`"result":${deep},`);
  });

  it('escapes what a terminal would obey', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    builder.add(ended({ output: 'a\u009b31m\u202eb\u001b[2J' }));
    const text = await resultsText(builder.text);
    expect(text).not.toMatch(/[\p{Cc}\u202e](?<!\n)/u);
    expect(JSON.parse(text).taskRuns[0].output).toBe('a\u009b31m\u202eb\u001b[2J');
  });

  it('has what finished of a run that was killed', async () => {
    const builder = new JournalBuilder({ taskRuns: 3 });
    builder.add(started());
    builder.add(ended());
    builder.add(started({ taskRun: 'b', task: 'b' }));
    builder.add(call({ taskRun: 'b' }));
    const results = JSON.parse(await resultsText(`${builder.text}{"seq":6,"at":"2026-`));
    expect(results).toMatchObject({
      finished: false,
      durationMs: 4000,
      totals: { notRun: 2 },
      taskRuns: [{ task: 'feed' }],
    });
    expect(results.taskRuns).toHaveLength(1);
  });

  it('counts the latest attempt, and only the time in which something ran', async () => {
    const builder = new JournalBuilder();
    builder.add(started({ path: 'first' }));
    builder.add(call({ name: 'old' }));
    builder.add(ended({ outcome: 'cancelled' }));
    builder.add({ type: 'run-ended', durationMs: 2500, calls: 1, interrupted: true });
    const process = { pid: 2, startTime: '2' };
    const workspace = '/tmp/proctor-2';
    builder.add({ type: 'run-resumed', proctor: '0.1.0', process, workspace, missing: 1 });
    // Named like the one before: what belongs to which must come from the order.
    builder.add(started({ attempt: 2, path: 'second' }));
    builder.add(call({ name: 'new' }));
    builder.add(ended());
    const results = await resultsOf(builder);
    expect(results).toMatchObject({ resumed: 1, finished: false, durationMs: 2500 + 3000 });
    expect(results.totals.outcomes).toMatchObject({ passed: 1, cancelled: 0 });
    expect(results.taskRuns).toMatchObject([
      { attempt: 2, path: 'second', calls: [{ name: 'new' }] },
    ]);
  });

  it('has every call of a task run in order, also of those that it did not keep in memory', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    // Longer in bytes than in characters, and as they end: not as they began.
    const textOf = (number: number) => `${number} ${'\u00e9\u{1f600}'.repeat(50_000)}`;
    for (let number = 20; number > 0; number--) {
      builder.add(call({ call: number, result: new RawJson(JSON.stringify(textOf(number))) }));
    }
    builder.add(ended());
    const [taskRun] = (await resultsOf(builder)).taskRuns;
    const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
    expect(taskRun.calls.map((each: { call: number }) => each.call)).toEqual(numbers);
    expect(taskRun.calls.map((each: { result: string }) => each.result)).toEqual(
      numbers.map(textOf),
    );
  });

  it('counts what was planned anew when a run goes on', async () => {
    const builder = new JournalBuilder({ taskRuns: 2 });
    builder.add(started());
    builder.add(ended());
    builder.add(started({ taskRun: 'b', task: 'b' }));
    builder.add(ended({ taskRun: 'b', task: 'b', outcome: 'cancelled' }));
    const process = { pid: 2, startTime: '2' };
    const workspace = '/tmp/proctor-2';
    const options = { runs: 2 };
    builder.add({ type: 'run-resumed', proctor: '0.1.0', process, workspace, missing: 3, options });
    const results = await resultsOf(builder);
    expect(results.totals).toMatchObject({ planned: 4, notRun: 2 });
    expect(results.options).toEqual(options);
  });

  it('keeps a cancelled attempt while the next one has no verdict', async () => {
    const builder = new JournalBuilder();
    builder.add(started({ path: 'first' }));
    builder.add(ended({ outcome: 'cancelled' }));
    builder.add(started({ attempt: 2, path: 'second' }));
    builder.add(call({ name: 'new' }));
    const { taskRuns } = await resultsOf(builder);
    expect(taskRuns).toMatchObject([{ path: 'first', outcome: 'cancelled', calls: [] }]);
  });

  it('says that there are more warnings than it holds', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    for (let index = 0; index < 130; index++) {
      builder.add({ type: 'warning', taskRun: 'feed-1', code: 'stream-cut', message: `${index}` });
    }
    builder.add(ended());
    const [taskRun] = (await resultsOf(builder)).taskRuns;
    expect(taskRun.warnings).toHaveLength(100);
    expect(taskRun.moreWarnings).toBe(30);
  });

  it('shows a phase that never ended', async () => {
    const builder = new JournalBuilder();
    builder.add(started());
    builder.add({ type: 'phase-started', taskRun: 'feed-1', phase: 'agent' });
    builder.add({ type: 'agent-output', taskRun: 'feed-1', kind: 'thinking', text: 'hm' });
    builder.add(ended({ outcome: 'error' }));
    const [taskRun] = (await resultsOf(builder)).taskRuns;
    expect(taskRun.phases.agent).toMatchObject({
      outcome: null,
      durationMs: null,
      steps: [{ text: 'hm' }],
    });
  });

  it('takes the place of older results, through a symbolic link too, and leaves no draft', async () => {
    const builder = new JournalBuilder();
    const elsewhere = join(folder, 'elsewhere.json');
    await writeFile(journal, builder.text);
    await writeFile(elsewhere, 'old');
    const link = join(folder, 'link.json');
    await symlink(elsewhere, link);
    await writeResults(journal, link);
    expect(JSON.parse(await readFile(elsewhere, 'utf8')).taskRuns).toEqual([]);
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    // For their owner alone: results may hold what servers said in confidence.
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o600);
  });

  it('gives what the system says when it cannot write, and leaves older results alone', async () => {
    const builder = new JournalBuilder();
    await writeFile(journal, builder.text);
    await expect(writeResults(journal, join(folder, 'no', 'out.json'))).rejects.toMatchObject({
      code: 'ENOENT',
    });
    await expect(writeResults(journal, folder)).rejects.toMatchObject({ code: 'EISDIR' });
    await writeFile(out, 'old');
    await writeFile(journal, 'broken\nbroken\n');
    await expect(writeResults(journal, out)).rejects.toMatchObject({ code: 'not-a-journal' });
    expect(await readFile(out, 'utf8')).toBe('old');
    expect((await readdir(folder)).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  });

  it('makes nothing of the record of a proxy', async () => {
    const line = { seq: 1, at: '2026-01-01T00:00:00.000Z', type: 'run-started' };
    const proxy = { ...line, schema: journalSchema, command: 'proxy', mcpServers: [] };
    await writeFile(journal, `${JSON.stringify(proxy)}\n`);
    await expect(writeResults(journal, out)).rejects.toMatchObject({ code: 'not-an-evaluation' });
  });

  it('says in the results what a damaged journal does not have', async () => {
    const builder = new JournalBuilder({ taskRuns: 3 });
    builder.add(ended({ taskRun: 'lost', task: 'lost' }));
    builder.add(started());
    builder.add(call());
    builder.add(ended());
    builder.add(started({ taskRun: 'b', task: 'b' }));
    builder.add(ended({ taskRun: 'b', task: 'b', outcome: 'failed' }));
    builder.add({ type: 'run-ended', durationMs: 1, calls: 1 });
    const lines = builder.text.split('\n');
    await writeFile(journal, lines.with(3, '\0\0').join('\n'));
    await writeResults(journal, out);
    const { totals, leftOut, taskRuns } = JSON.parse(await readFile(out, 'utf8'));
    expect(totals).toMatchObject({ planned: 3, notRun: 1, outcomes: { passed: 1, failed: 1 } });
    expect(leftOut.count).toBe(2);
    expect(leftOut.parts.map(formatLeftOut)).toEqual([
      'seq 2: expected the end of a task run whose start can be read, found lost, run 1',
      'line 4: expected an event, found NUL bytes',
    ]);
    // Only that one was under way.
    expect(taskRuns).toMatchObject([{ task: 'feed', incomplete: true }, { task: 'b' }]);
    expect(taskRuns[1]).not.toHaveProperty('incomplete');
  });
});
