import { describe, expect, it } from 'vitest';
import {
  callJudgeTool,
  failing,
  finished,
  judgeOf,
  passing,
  question,
  submits,
  takingTurns,
} from '../../testing/judging.js';
import { formatFailure, formatSaid } from './vote.js';

const never = new AbortController().signal;

describe('a judge', () => {
  it('is asked for several votes, of which the majority decides', async () => {
    const { agent } = takingTurns(submits(passing), submits(failing), submits(failing));

    const judgement = await (await judgeOf(agent)).ask({ ...question, votes: 3 }, never);

    expect(judgement).toMatchObject({ passed: false, reason: 'One is missing.' });
    expect(judgement.votes.filter(({ passed }) => passed)).toHaveLength(1);
    expect(judgement.votes.filter(({ passed }) => passed === false)).toHaveLength(2);
  });

  it('is asked for at most four votes at once', async () => {
    let underWay = 0;
    let most = 0;
    const { agent } = takingTurns(async (task) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await callJudgeTool(task, passing);
      underWay -= 1;
      return finished;
    });

    const { votes } = await (await judgeOf(agent)).ask({ ...question, votes: 11 }, never);

    expect(votes).toHaveLength(11);
    expect(most).toBe(4);
  });

  it('gets the same question in each vote, and another number in each question', async () => {
    const { agent, tasks } = takingTurns(submits(passing));
    const judge = await judgeOf(agent);

    await judge.ask({ ...question, votes: 2 }, never);
    await judge.ask(question, never);

    const [first, second, third] = tasks.map(({ prompt }) => prompt);
    expect(first).toBe(second);
    expect(first).not.toBe(third);
  });

  it('that is stopped gives no verdict, whatever it has said', async () => {
    const stop = new AbortController();
    const { agent, tasks } = takingTurns(submits(passing), submits(passing), async (task) => {
      stop.abort();
      expect(task.signal.aborted).toBe(true);
      return { end: 'stopped', output: '' };
    });

    const judgement = await (await judgeOf(agent)).ask({ ...question, votes: 3 }, stop.signal);

    expect(judgement).toMatchObject({
      passed: null,
      reason: 'the judge was stopped before it had given its verdict',
    });
    expect(tasks).toHaveLength(3);
  });

  it('that is stopped before it began is not asked', async () => {
    const { agent, tasks } = takingTurns(submits(passing));

    const judgement = await (await judgeOf(agent)).ask(question, AbortSignal.abort());

    expect(judgement).toMatchObject({ passed: null, votes: [{ passed: null, attempts: 0 }] });
    expect(tasks).toEqual([]);
  });
});

describe('failureText', () => {
  const failed = (details?: string) =>
    formatFailure({
      code: 'failed',
      message: 'judge.sh exited with code 3',
      ...(details && { details }),
    });

  it('has what the program logged last', () => {
    expect(failed('starting\r\n\n the model is overloaded\n')).toBe(
      'judge.sh exited with code 3; its log ends with: starting the model is overloaded',
    );
  });

  it('says nothing of a log that is empty', () => {
    expect([failed(), failed(' \n ')]).toEqual(Array(2).fill('judge.sh exited with code 3'));
  });

  it('has no more than ten lines, and no part of a word', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `line-${index + 1}`);
    expect(failed(lines.join('\n'))).toMatch(/with: line-21 line-22 .* line-30$/);
    const long = failed(`${'secret'.repeat(200)} the end`);
    expect(long).toMatch(/with: … the end$/);
  });
});

describe('saidText', () => {
  it('quotes in one line what was said', () => {
    expect(formatSaid(' I would \r\n\n  rather not.\n')).toBe('; it said: "I would rather not."');
  });

  it('is empty where nothing was said', () => {
    expect(formatSaid(' \n')).toBe('');
  });

  it('is cut between words, also where there is no space to cut at', () => {
    expect(formatSaid(`${'no '.repeat(99)}a-token-that-goes-on`)).toBe(
      `; it said: "${'no '.repeat(99)}…"`,
    );
    expect(formatSaid('x'.repeat(1000))).toBe('; it said: "…"');
    expect(formatSaid('不'.repeat(1000))).toBe(`; it said: "${'不'.repeat(300)}…"`);
  });

  it('is cut in a million spaces too', () => {
    expect(formatSaid(`no${' '.repeat(1_000_000)}way`)).toMatch(/^; it said: "no +…"$/);
  });
});
