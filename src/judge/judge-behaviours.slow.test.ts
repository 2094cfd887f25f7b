import fc from 'fast-check';
import { expect, it } from 'vitest';
import { callJudgeTool, inProcessAgent, judgeOf, question } from '../../testing/judging.js';
import type { AgentResult, AgentTask } from '../agents/agent.js';

/** What a judge does in one attempt. */
interface Behaviour {
  actions: Action[];
  end: 'finished' | 'failed' | 'not-started' | 'stopped' | 'throws';
  isServerLost: boolean;
  isToolDenied: boolean;
  output: string;
}

type Action =
  | { kind: 'call'; args: string }
  | { kind: 'other tool'; tool: string; args: string }
  /** By its own account it called the tool, and that came to an error. */
  | { kind: 'broken call' };

const categories = ['semantic_mismatch', 'missing_information', 'contains_extra_info', 'n/a'];

const value = fc.oneof(
  fc.boolean(),
  fc.constantFrom('true', 'false', 1, 0, null, '', ' \n'),
  fc.jsonValue(),
);
const mostly = <T>(usual: fc.Arbitrary<T>, odd: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });

const judgement = fc.record(
  {
    passed: mostly(fc.boolean(), value),
    reason: mostly(fc.constant('so it is'), value),
    failureCategory: mostly(fc.constantFrom(...categories), value),
    more: value,
  },
  { requiredKeys: ['passed', 'reason'] },
);
const valid = fc.record({
  passed: mostly(fc.constant(true), fc.boolean()),
  reason: fc.constant('so'),
});
const args = fc
  .oneof(
    { weight: 6, arbitrary: valid },
    { weight: 6, arbitrary: judgement },
    { weight: 1, arbitrary: fc.jsonValue() },
  )
  .map((each) => JSON.stringify(each));
const otherTool = fc.constantFrom('submit_judgment', 'Submit_Judgement', 'pass', '');

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('call' as const), args }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('other tool' as const), tool: otherTool, args }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('broken call' as const) }) },
);

const rarely = fc.integer({ max: 20, min: 0 }).map((drawn) => drawn === 20);
const behaviour: fc.Arbitrary<Behaviour> = fc.record({
  actions: fc.array(action, { maxLength: 3 }),
  end: mostly(
    fc.constant('finished' as const),
    fc.constantFrom('failed', 'not-started', 'stopped', 'throws'),
  ) as fc.Arbitrary<Behaviour['end']>,
  isServerLost: rarely,
  isToolDenied: rarely,
  output: fc.constantFrom('', 'passed: true', '{"passed":true,"reason":"x"}', 'PASS'),
});

/** Plays one behaviour in each attempt, in the order in which they begin. */
function playing(behaviours: readonly Behaviour[], played: Behaviour[]) {
  return inProcessAgent(async (task) => {
    const next = behaviours[played.length % behaviours.length];
    if (!next) throw new Error('there is nothing to play');
    played.push(next);
    return play(next, task);
  });
}

async function play(next: Behaviour, task: AgentTask): Promise<AgentResult> {
  for (const each of next.actions) {
    if (each.kind === 'call') await callJudgeTool(task, each.args);
    else if (each.kind === 'other tool') await callJudgeTool(task, each.args, each.tool);
    else {
      task.report({ kind: 'tool-call', tool: 'judge_submit_judgement', id: 'a' });
      task.report({ kind: 'tool-result', id: 'a', isError: true, text: '' });
    }
  }
  const { end, output, isServerLost, isToolDenied } = next;
  if (end === 'throws') throw new Error('a bug');
  const failed = end === 'failed' || end === 'not-started';
  return {
    end: failed ? 'failed' : end,
    output,
    ...(failed && { failure: { code: end, message: 'it went wrong' } }),
    ...(isServerLost && { unusableServers: [{ name: 'judge', status: 'lost' }] }),
    ...(isToolDenied && { permissionDenials: [{ tool: 'mcp__judge__submit_judgement' }] }),
  };
}

/** What an attempt says, by the rules in other words. */
function verdictOf({ actions, end, isServerLost, isToolDenied }: Behaviour): boolean | null {
  if (end !== 'finished' || isServerLost || isToolDenied) return null;
  if (actions.some(({ kind }) => kind === 'broken call')) return null;
  const submitted = actions.flatMap((each) =>
    each.kind === 'call' ? [validPassed(JSON.parse(each.args))] : [],
  );
  const [first] = submitted;
  if (first === undefined || submitted.some((each) => each !== first)) return null;
  return first;
}

function validPassed(given: unknown): boolean | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null;
  const { passed, reason, failureCategory } = given as Record<string, unknown>;
  if (typeof reason !== 'string' || !/\S/.test(reason)) return null;
  if ('failureCategory' in given && !categories.includes(failureCategory as string)) return null;
  return passed === true || passed === false ? passed : null;
}

it('a judgement says what more than half of the votes say, each by valid calls alone', async () => {
  const seen = new Set<boolean | null>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 1, maxLength: 10 }),
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 3 }),
      async (behaviours, votes, attempts) => {
        const played: Behaviour[] = [];
        const judge = await judgeOf(playing(behaviours, played), { attempts });
        const { passed, votes: cast } = await judge.ask(
          { ...question, votes },
          new AbortController().signal,
        );
        await judge.close();
        const count = (side: boolean) => played.filter((each) => verdictOf(each) === side).length;

        expect(passed === true).toBe(count(true) * 2 > votes);
        expect(passed === false).toBe(count(false) * 2 > votes);
        const silent = cast.filter((vote) => vote.passed === null).length;
        expect(silent + count(true) + count(false)).toBe(votes);
        expect(cast).toHaveLength(votes);
        expect(cast.reduce((sum, vote) => sum + vote.attempts, 0)).toBe(played.length);
        seen.add(passed);
      },
    ),
    { numRuns: 500 },
  );
  expect(seen).toEqual(new Set([true, false, null]));
});

it('a judge that never calls the tool never passes, whatever it says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string(),
      fc.constantFrom('finished', 'failed', 'stopped'),
      fc.integer({ min: 1, max: 5 }),
      async (output, end, votes) => {
        const agent = inProcessAgent(async (task) => {
          task.report({ kind: 'message', text: output });
          task.report({ kind: 'tool-call', tool: 'submit_judgement', id: '1' });
          task.report({ kind: 'tool-result', id: '1', isError: false, text: 'passed: true' });
          return { end, output };
        });
        const judge = await judgeOf(agent);
        const judgement = await judge.ask({ ...question, votes }, new AbortController().signal);
        await judge.close();

        expect(judgement.passed).toBe(null);
      },
    ),
  );
});
