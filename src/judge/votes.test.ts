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
} from '../testing/judging.js';

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

  it('is told the same question in each vote, and another number in each question', async () => {
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
