import { expect, it } from 'vitest';
import { stepContext } from '../../testing/step-context.js';
import type { Judgement } from '../journal/step-events.js';
import { runJudgeStep } from './judge-step.js';
import type { JudgeQuestion, StepContext } from './step.js';

function judging(
  verdict: Pick<Judgement, 'passed' | 'reason' | 'failureCategory'>,
  changes: Partial<StepContext> = {},
): { context: StepContext; questions: JudgeQuestion[] } {
  const questions: JudgeQuestion[] = [];
  const context = stepContext(changes);
  context.services.judge = async (question) => {
    questions.push(question);
    const { mode, reference } = question;
    return { mode, reference, votes: [], ...verdict };
  };
  return { context, questions };
}

const fine = { passed: true, reason: 'it says so', failureCategory: 'n/a' } as const;

it('asks with the prompt, the answer and the reference, placeholders replaced', async () => {
  const { context, questions } = judging(fine, {
    agent: { prompt: 'Where is it?', output: 'Here.' },
    resolve: (text) => text.replace('{random.id}', '17'),
  });
  const result = await runJudgeStep({ exact: 'It is at {random.id}.', votes: 3 }, context);
  expect(result).toMatchObject({ outcome: 'passed', outputs: {} });
  expect(result.account?.judgement).toMatchObject(fine);
  expect(questions).toEqual([
    {
      mode: 'exact',
      reference: 'It is at 17.',
      prompt: 'Where is it?',
      answer: 'Here.',
      votes: 3,
    },
  ]);
});

it('does not ask where placeholders leave nothing to judge by', async () => {
  const { context, questions } = judging(fine, { resolve: () => ' \n' });
  await expect(runJudgeStep({ contains: '{steps.script.stdout}' }, context)).rejects.toThrow(
    '{steps.script.stdout} cannot be resolved: it leaves nothing to judge by',
  );
  expect(questions).toEqual([]);
});

it('fails with what the judge says', async () => {
  const { context } = judging({
    passed: false,
    reason: 'the pod is not named',
    failureCategory: 'missing_information',
  });
  expect(await runJudgeStep({ contains: 'web' }, context)).toMatchObject({
    outcome: 'failed',
    message: 'the judge says (missing_information): the pod is not named',
  });
});

it('is an error, and no failure, where there is no verdict', async () => {
  const { context } = judging({ passed: null, reason: 'it said nothing', failureCategory: 'n/a' });
  expect(await runJudgeStep({ rubric: 'be kind' }, context)).toMatchObject({
    outcome: 'error',
    message: 'the judge gave no verdict: it said nothing',
  });
});

it('was not judged if time was up before', async () => {
  const { context } = judging(
    { passed: null, reason: 'stopped', failureCategory: 'n/a' },
    { signal: AbortSignal.abort() },
  );
  expect(await runJudgeStep({ rubric: 'be kind' }, context)).toMatchObject({
    outcome: 'stopped',
    isUnjudged: true,
  });
});

it('does not pass with nothing to judge by', async () => {
  const { context } = judging(fine);
  await expect(runJudgeStep({ votes: 3 }, context)).rejects.toThrow('nothing to judge by');
});
