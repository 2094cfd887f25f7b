import path from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { TaskRunRecord } from '../../src/results/task-run-record.js';
import { ModelServer } from '../support/model-server/model-server.js';
import { startCheck } from '../support/running-check.js';
import { it, type ScratchSuite } from '../support/scratch-suite.js';
import { type SuiteParts, script, scripted } from '../support/suite-parts.js';
import { wordJudge } from '../support/word-judge.js';

const config = { llmJudge: { ref: { type: 'file', path: 'judge.yaml' } } };
const files = { 'judge.yaml': wordJudge };

/** A suite whose judge says what the references ask it to say. */
const judged = (tasks: SuiteParts['tasks'], more: Partial<SuiteParts> = {}): SuiteParts => ({
  agent: scripted({ say: 'The cat is on the mat.' }),
  ...more,
  tasks,
  config: { ...config, ...more.config },
  files: { ...files, ...more.files },
});

const verify = (...steps: object[]) => ({ spec: { verify: steps } });
const contains = (reference: string, more: object = {}) => ({
  llmJudge: { contains: reference },
  ...more,
});

/** An Agent file of a judge with a model. */
function modelJudge({ url }: ModelServer): string {
  const model = 'openai-compatible:m-1';
  const builtin = { type: 'llm-agent', model, baseUrl: `${url}/v1` };
  return JSON.stringify({ kind: 'Agent', builtin });
}

/** Writes a task anew, as somebody who edits it. */
async function edit(suite: ScratchSuite, name: string, ...steps: object[]): Promise<void> {
  const file = `tasks/${name}.yaml`;
  const task = JSON.parse(await suite.read(file));
  task.spec.verify = steps;
  await suite.write(file, JSON.stringify(task));
}

async function rejudge(suite: ScratchSuite, record = 'out.json', ...args: string[]) {
  const call = ['recheck', record, '--eval', 'eval.yaml', '--rejudge', '-o', 'json', ...args];
  const { exitCode, stdout, stderr } = await suite.proctor(call);
  expect(stdout, stderr).toMatch(/^\{/);
  return { exitCode, ...JSON.parse(stdout) };
}

describe('proctor recheck --rejudge', () => {
  it('asks the judge again, by the references as they are now', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged({
        find: verify(contains('say-fail', { id: 'where' }), contains('say-pass')),
        feed: verify(contains('say-pass')),
      }),
    );
    expect((await suite.check()).exitCode).toBe(1);
    await edit(suite, 'find', contains('say-pass now', { id: 'where' }), contains('say-pass'));

    const { exitCode, taskRuns, changed, totals, judge } = await rejudge(suite);

    expect(exitCode).toBe(0);
    expect(judge).toEqual({ name: 'word-judge', type: 'scripted' });
    const find = taskRuns.find(({ task }: { task: string }) => task === 'find');
    expect(find.judgements).toMatchObject([
      {
        step: 1,
        id: 'where',
        at: { file: 'tasks/find.yaml' },
        mode: 'contains',
        reference: 'say-pass now',
        passed: true,
        reason: 'it says pass',
        failureCategory: 'n/a',
        votes: [{ passed: true, attempts: 1 }],
        before: { passed: false, reason: 'it says fail' },
      },
      { step: 2, passed: true, before: { passed: true, reason: 'it says pass' } },
    ]);
    expect(changed).toMatchObject([
      {
        task: 'find',
        run: 1,
        name: 'llmJudge',
        step: 1,
        change: 'now-passes',
        before: { passed: false },
        after: { passed: true },
      },
    ]);
    expect(totals).toMatchObject({ judgements: 3, judgementsPassed: 3 });
    expect(await suite.leftovers()).toEqual([]);
  });

  it('writes results with what the judge says now', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged({
        find: verify(contains('say-fail')),
        feed: verify(contains('say-pass')),
        both: verify(script('false'), contains('say-fail')),
      }),
    );
    await suite.check();
    await edit(suite, 'find', contains('say-pass'));
    await edit(suite, 'feed', contains('say-fail'));
    await edit(suite, 'both', script('false'), contains('say-pass'));
    await rejudge(suite, 'out.json', '--out', 'new.json');
    const written = JSON.parse(await suite.read('new.json'));
    expect(written.rechecked).toMatchObject({ rejudged: true });
    const verdicts = written.taskRuns.map((each: TaskRunRecord) => [
      ...[each.task, each.outcome, each.verified],
      each.phases.verify?.steps.at(-1)?.judgement?.passed,
    ]);
    expect(verdicts.sort()).toEqual([
      // Its script is not run again.
      ['both', 'failed', false, true],
      ['feed', 'failed', false, false],
      ['find', 'passed', true, true],
    ]);
    const { stdout, stderr } = await suite.proctor(['summary', 'new.json']);
    expect(stderr).toBe('');
    expect(stdout).toContain('rechecked by the assertions and the judge of eval.yaml');
  });

  it('shows the verdicts before and now, changes first', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged({
        a: verify(contains('say-pass')),
        b: verify(contains('say-pass'), { llmJudge: { rubric: 'say-fail', votes: 3 } }),
      }),
    );
    await suite.check();
    await edit(suite, 'b', contains('say-fail'), { llmJudge: { rubric: 'say-nothing' } });

    const call = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge'];
    const { exitCode, stdout } = await suite.proctor(call);

    expect(exitCode).toBe(1);
    expect(stdout).toBe(
      [
        'now fails     b  run 1  step 1  contains  tasks/b.yaml:1',
        '  before: passed: it says pass',
        '  now: failed: it says fail',
        '',
        'no verdict    b  run 1  step 2  rubric  tasks/b.yaml:1',
        '  before: failed: it says fail',
        '  now: no verdict: it did not call submit_judgement; it said: "I would rather not."',
        '',
        'still passes  a  run 1  step 1  contains  tasks/a.yaml:12',
        '  before: passed: it says pass',
        '  now: passed: it says pass',
        '',
        '1 of 3 judgements passes; 1 without a verdict, 2 changed',
        '',
      ].join('\n'),
    );
  });

  it('ends with 1 for a judgement that is not passed, and for one without a verdict', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    await suite.check();
    await edit(suite, 'a', contains('say-fail'));
    expect(await rejudge(suite)).toMatchObject({ exitCode: 1, changed: [{ change: 'now-fails' }] });
    await edit(suite, 'a', contains('say-nothing'));
    expect(await rejudge(suite)).toMatchObject({
      exitCode: 1,
      changed: [{ change: 'no-verdict' }],
      totals: { judgementsWithoutVerdict: 1 },
    });
  });

  it('counts the votes that the step asks for today', async ({ makeSuite }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    await suite.check();
    await edit(suite, 'a', { llmJudge: { exact: 'say-pass', votes: 5 } });
    const { taskRuns } = await rejudge(suite);
    expect(taskRuns[0].judgements[0]).toMatchObject({ mode: 'exact' });
    expect(taskRuns[0].judgements[0].votes).toHaveLength(5);
  });

  it('takes placeholders from the record, and from today what it does not have', async ({
    makeSuite,
  }) => {
    const reference = [
      'say-pass {task.name} {agent.prompt} {agent.output} {env.WHERE} {random.id}',
      '{steps.made.stdout} {steps.script.stdout}',
    ].join(' ');
    const suite = await makeSuite(
      judged({
        a: {
          spec: {
            setup: [{ ...script('echo one'), id: 'made' }],
            verify: [script('echo two'), contains('say-pass'), script('echo three')],
          },
        },
      }),
    );
    const { events } = await suite.check([], { WHERE: 'there' });
    await edit(suite, 'a', script('echo two'), contains(reference), script('echo three'));
    const started = events.find(({ type }) => type === 'task-run-started');
    const id = started?.type === 'task-run-started' ? started.random.id : '';
    const call = ['recheck', 'out.jsonl', '--eval', 'eval.yaml', '--rejudge', '-o', 'json'];

    const { stdout } = await suite.proctor(call, { WHERE: 'here' });

    const [{ judgements }] = JSON.parse(stdout).taskRuns;
    expect(judgements[0]).toMatchObject({
      reference: `say-pass a Do a. The cat is on the mat. here ${id} one two`,
      passed: true,
    });
  });

  it('gives no verdict where a placeholder cannot be resolved', async ({ makeSuite }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    await suite.check();
    await edit(suite, 'a', contains('say-pass {random.id}'));
    const { exitCode, taskRuns } = await rejudge(suite);
    expect(exitCode).toBe(1);
    expect(taskRuns[0].judgements[0]).toMatchObject({
      passed: null,
      reason: '{random.id} cannot be resolved: results do not have it, but the journal may',
      votes: [],
    });
    expect(await rejudge(suite, 'out.jsonl')).toMatchObject({ exitCode: 0 });
  });

  it('says so where a secret is redacted in what it judges', async ({ makeSuite }) => {
    const secret = 'sk-0123456789abcdef';
    const suite = await makeSuite(
      judged({ a: verify(contains('say-pass')) }, { agent: scripted({ say: `It is ${secret}` }) }),
    );
    await suite.check([], { OPENAI_API_KEY: secret });
    const { taskRuns } = await rejudge(suite);
    expect(taskRuns[0].judgements[0]).toMatchObject({
      passed: true,
      notes: ['a part of the answer is redacted, and judged as recorded'],
    });
  });

  it.for([
    ['beginning', "head -c 1100000 /dev/zero | tr '\\0' x"],
    ['end', 'yes | head -c 1100000'],
  ] as const)(
    'says so where the record has only the %s of an answer',
    async ([, runPrompt], { makeSuite }) => {
      const suite = await makeSuite(
        judged({ a: verify(contains('say-pass')) }, { agent: { commands: { runPrompt } } }),
      );
      await suite.check();
      const { taskRuns } = await rejudge(suite);
      expect(taskRuns[0].judgements[0].notes).toEqual([
        'the answer looks truncated: the record may have only a part',
      ]);
    },
  );

  it('does not judge what an agent left that did not come to its end', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged(
        { a: verify(contains('say-pass')), b: verify(contains('say-pass')) },
        {
          agent: {
            scripted: [{ when: 'Do a', do: [{ fail: 'I give up.' }] }, { do: [{ say: 'Done.' }] }],
          },
        },
      ),
    );
    await suite.check();
    const { exitCode, taskRuns, totals } = await rejudge(suite);
    expect(exitCode).toBe(1);
    expect(taskRuns).toMatchObject([
      { task: 'a', unfinished: expect.stringContaining('I give up.'), judgements: [] },
      { task: 'b', judgements: [{ passed: true }] },
    ]);
    expect(totals).toMatchObject({ unfinished: 1, judgements: 1 });
    const only = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge', '-r', '^a$'];
    const { exitCode: refused, stderr } = await suite.proctor(only);
    expect(refused).toBe(2);
    expect(stderr).toContain('no llmJudge step of eval.yaml is for an answer in out.json');
  });

  it('judges results of mcpchecker with the prompt of today', async ({ makeSuite }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    const taskRun = { taskName: 'a', taskPassed: true, taskOutput: 'The cat is fed.' };
    const silent = { ...taskRun, taskOutput: null, runIndex: 1 };
    await suite.write('foreign.json', JSON.stringify({ results: [taskRun, silent] }));
    const { exitCode, taskRuns, changed } = await rejudge(suite, 'foreign.json');
    expect(exitCode).toBe(1);
    expect(taskRuns[0].judgements).toMatchObject([
      {
        passed: true,
        notes: ['the record does not have the prompt: the current prompt of the task was used'],
      },
    ]);
    expect(taskRuns[0].judgements[0]).not.toHaveProperty('before');
    expect(taskRuns[1].judgements).toMatchObject([
      { passed: null, reason: 'the record does not have the answer' },
    ]);
    expect(changed).toMatchObject([{ change: 'new' }, { change: 'new' }]);
  });

  it('tells what is new apart from what changed', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged({
        a: verify(contains('say-pass', { id: 'old' })),
        b: verify(contains('say-fail', { id: 'old' })),
      }),
    );
    await suite.check();
    const fresh = contains('say-pass', { id: 'fresh' });
    await edit(suite, 'a', contains('say-pass', { id: 'old' }), fresh);
    const call = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge'];
    const added = await suite.proctor([...call, '-r', '^a$']);
    expect(added.stdout).toContain('\n2 of 2 judgements pass; 1 new\n');
    await edit(suite, 'b', contains('say-pass', { id: 'old' }));
    const { stdout } = await suite.proctor(call);
    expect(stdout).toContain('\n3 of 3 judgements pass; 1 changed, 1 new\n');
    const labels = [...stdout.matchAll(/^(\w+( \w+)?) {2,}[ab] {2}/gm)].map(([, label]) => label);
    expect(labels).toEqual(['now passes', 'new', 'still passes']);
  });

  it('rechecks the assertions too', async ({ makeSuite }) => {
    const parts = judged({ a: verify(contains('say-pass')) }, { assertions: { maxToolCalls: 3 } });
    const suite = await makeSuite(parts);
    await suite.check();
    const call = ['recheck', 'out.json', '--eval', 'eval.yaml'];
    const { stdout } = await suite.proctor([...call, '--rejudge']);
    expect(stdout).toContain('1 of 1 assertion in 1 task run holds; nothing changed\n');
    expect(stdout).toContain('1 of 1 judgement passes; nothing changed\n');
    const without = await suite.proctor([...call, '-o', 'json']);
    expect(JSON.parse(without.stdout)).not.toHaveProperty('judge');
    expect(without.stdout).not.toContain('judgements');
  });

  it('is refused where there is no judge, or nothing for it to judge', async ({ makeSuite }) => {
    const suite = await makeSuite({
      tasks: { a: {} },
      assertions: { maxToolCalls: 3 },
      config: { llmJudge: { ref: { type: 'file', path: 'judge.yaml' } } },
      files,
    });
    await suite.check();
    const call = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge'];
    const nothing = await suite.proctor(call);
    expect(nothing).toMatchObject({ exitCode: 2, stdout: '' });
    expect(nothing.stderr).toContain('no llmJudge step of eval.yaml is for an answer');
    const config = JSON.parse(await suite.read('eval.yaml'));
    delete config.config.llmJudge;
    await suite.write('eval.yaml', JSON.stringify(config));
    const nobody = await suite.proctor(call);
    expect(nobody).toMatchObject({ exitCode: 2, stdout: '' });
    expect(nobody.stderr).toContain('eval.yaml configures no judge');
  });

  it('is refused where the judge is not ready', async ({ makeSuite }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    await suite.check();
    const change = async (llmJudge: object) => {
      const config = JSON.parse(await suite.read('eval.yaml'));
      config.config.llmJudge = llmJudge;
      await suite.write('eval.yaml', JSON.stringify(config));
      return suite.proctor(['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge']);
    };
    const keyless = await change({ ref: { type: 'builtin.llm-agent', model: 'openai:m-1' } });
    expect(keyless).toMatchObject({ exitCode: 2, stdout: '' });
    expect(keyless.stderr).toContain('the judge llm-agent is not ready');
    const env = { baseUrlKey: 'JUDGE_URL', apiKeyKey: 'JUDGE_KEY', modelNameKey: 'JUDGE_MODEL' };
    const unset = await change({ env });
    expect(unset).toMatchObject({ exitCode: 2, stdout: '' });
    expect(unset.stderr).toContain('[unset-variable]  the environment variable JUDGE_URL');
  });

  it('gives no verdict where the judge takes longer than the step may', async ({ makeSuite }) => {
    const suite = await makeSuite(judged({ a: verify(contains('say-pass')) }));
    await suite.check();
    const model = await ModelServer.start(() => ({ hang: true }));
    onTestFinished(() => model.close());
    await suite.write('judge.yaml', modelJudge(model));
    await edit(suite, 'a', contains('say-pass', { timeout: '300ms' }));
    const { exitCode, taskRuns } = await rejudge(suite);
    expect(exitCode).toBe(1);
    expect(taskRuns[0].judgements).toMatchObject([
      { passed: null, reason: 'the judge gave no verdict within 300 ms' },
    ]);
  });

  it('stopped in the middle prints what it has, and ends with 130', async ({ makeSuite }) => {
    const suite = await makeSuite(
      judged({ a: verify(contains('say-pass')), b: verify(contains('say-fail')) }),
    );
    await suite.check();
    const model = await ModelServer.start(({ prompt }) =>
      prompt.includes('say-pass')
        ? { toolCalls: [{ tool: 'submit_judgement', args: { passed: true, reason: 'yes' } }] }
        : { hang: true },
    );
    onTestFinished(() => model.close());
    await suite.write('judge.yaml', modelJudge(model));
    const call = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge', '-p', '1'];
    const running = startCheck([...call, '-o', 'json'], {
      cwd: suite.folder,
      env: { HOME: path.join(suite.folder, 'home'), TMPDIR: suite.temporaryFolder },
    });
    await model.request(2);
    running.kill('SIGINT');
    const { exitCode, stdout, stderr } = await running.ended;
    expect(exitCode, stderr).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      taskRuns: [{ task: 'a', judgements: [{ passed: true, model: 'm-1' }] }, { task: 'b' }],
      nothingToCheck: [],
      totals: { judgements: 1, notJudged: 1 },
    });
    expect(await suite.leftovers()).toEqual([]);
  });

  it('stopped before the first verdict says how many answers it did not reach', async ({
    makeSuite,
  }) => {
    const suite = await makeSuite(
      judged({ a: verify(contains('say-pass')), b: verify(contains('say-pass')) }),
    );
    await suite.check();
    const model = await ModelServer.start(() => ({ hang: true }));
    onTestFinished(() => model.close());
    await suite.write('judge.yaml', modelJudge(model));
    const call = ['recheck', 'out.json', '--eval', 'eval.yaml', '--rejudge', '-p', '1'];
    const running = startCheck(call, {
      cwd: suite.folder,
      env: { HOME: path.join(suite.folder, 'home'), TMPDIR: suite.temporaryFolder },
    });
    await model.request(1);
    running.kill('SIGINT');
    const { exitCode, stdout } = await running.ended;
    expect(exitCode).toBe(130);
    expect(stdout).toBe('stopped: 0 of 2 answers judged, 2 not reached\n');
  });
});
