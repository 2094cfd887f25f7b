import type { Agent } from '../agents/agent.js';
import type { AgentIdentity } from '../journal/run-events.js';
import type { Judgement, Vote } from '../journal/step-events.js';
import type { ModelGate } from '../limits/rate-limiter.js';
import { Listener } from '../proxy/listener.js';
import type { JudgeQuestion } from '../steps/step.js';
import { formatQuestion } from './question.js';
import { askForVote, type JudgeFolders, type JudgeResources, Spending } from './vote.js';

/** Decides whether an answer is what was asked for. */
export interface Judge {
  readonly identity: AgentIdentity;
  /**
   * Never rejects for what the judge does or fails to do: then the judgement has no verdict. `turns` are
   * those of its model; without them nothing is limited.
   */
  ask(question: JudgeQuestion, signal: AbortSignal, turns?: ModelGate): Promise<Judgement>;
  close(): Promise<void>;
}

/** How often a vote is asked for until there is a verdict. */
const defaultAttempts = 3;
/** How many votes are asked for at the same time. */
const maxAtOnce = 4;

export interface JudgeOptions {
  /** The environment that the judge's process inherits, and that holds its key. */
  environment: NodeJS.ProcessEnv;
  /** Makes new folders for an attempt; they are removed after it. */
  makeFolders(): Promise<JudgeFolders>;
  /** Maximum of attempts for each vote. */
  attempts?: number;
}

/**
 * Starts a judge. An agent gets a single tool, and its verdict is a call of it. The judge
 * has to be closed.
 */
export async function startJudge(agent: Agent, options: JudgeOptions): Promise<Judge> {
  const { attempts = defaultAttempts, environment, makeFolders } = options;
  const listener = await Listener.start();
  const means: JudgeResources = { agent, environment, listener, makeFolders };
  return {
    identity: agent.identity,
    ask: (question, signal, turns) =>
      askJudge(question, { means: { ...means, ...(turns && { turns }) }, attempts, signal }),
    close: () => listener.close(),
  };
}

async function askJudge(
  question: JudgeQuestion,
  asking: { means: JudgeResources; attempts: number; signal: AbortSignal },
): Promise<Judgement> {
  const { mode, reference } = question;
  const { model } = asking.means.agent.identity;
  const spending = new Spending();
  const prompt = formatQuestion(question);
  const votes = await collectVotes(question.votes, () =>
    askForVote({ ...asking, prompt, spending }),
  );
  const decision = asking.signal.aborted
    ? createNoVerdict('the judge was stopped before it had given its verdict')
    : decideMajority(votes);
  return {
    mode,
    reference,
    ...decision,
    votes,
    ...(model !== undefined && { model }),
    ...spending.total,
  };
}

/** Collects votes, a few at a time. */
async function collectVotes(count: number, askOnce: () => Promise<Vote>): Promise<Vote[]> {
  const votes: Vote[] = [];
  let asked = 0;
  const askOn = async () => {
    while (asked < count) {
      const index = asked++;
      votes[index] = await askOnce();
    }
  };
  await Promise.all(Array.from({ length: Math.min(maxAtOnce, count) }, askOn));
  return votes;
}

type Decision = Pick<Judgement, 'passed' | 'reason' | 'failureCategory'>;

/** Decides by more than half of all votes that were asked for, including those without a verdict. */
export function decideMajority(votes: readonly Vote[]): Decision {
  for (const side of [true, false]) {
    const saySo = votes.filter(({ passed }) => passed === side);
    const [first] = saySo;
    if (!first || saySo.length * 2 <= votes.length) continue;
    const { reason = '', failureCategory = 'n/a' } = first;
    return { passed: side, reason, failureCategory };
  }
  return createNoVerdict(explainSplit(votes));
}

function createNoVerdict(reason: string): Decision {
  return { passed: null, reason, failureCategory: 'n/a' };
}

function explainSplit(votes: readonly Vote[]): string {
  const silent = votes.filter(({ passed }) => passed === null);
  const [{ error = '' } = {}] = silent;
  if (silent.length === votes.length) return error;
  const passed = votes.filter((vote) => vote.passed === true).length;
  const failed = votes.length - silent.length - passed;
  const none = silent.length === 0 ? '' : `, ${silent.length} gave no verdict (${error})`;
  return `the votes are split: ${passed} passed, ${failed} failed${none}`;
}
