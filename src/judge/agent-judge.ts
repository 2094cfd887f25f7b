import type { Agent } from '../agents/agent.js';
import type { Judgement, Vote } from '../journal/step-events.js';
import { Listener } from '../proxy/listener.js';
import type { JudgeQuestion } from '../steps/step-services.js';
import type { JudgeMeans } from './attempt.js';
import type { Judge, JudgeFolders } from './judge.js';
import { majorityOf, noVerdict } from './majority.js';
import { questionText } from './question-text.js';
import { Spending } from './spending.js';
import { askForVote } from './vote.js';

/** For each vote. */
const defaultAttempts = 3;
/** Votes that are asked for at the same time. */
const maxAtOnce = 4;

export interface JudgeOptions {
  /** What the judge's process inherits, and where its key is found. */
  environment: NodeJS.ProcessEnv;
  /** Fresh ones for each attempt; they are removed after it. */
  makeFolders(): Promise<JudgeFolders>;
  /** How often a vote is asked for until it is given up. */
  attempts?: number;
}

/**
 * Makes a judge of an agent: it is given one tool, and its verdict comes through a call of that. It
 * has to be closed.
 */
export async function startJudge(agent: Agent, options: JudgeOptions): Promise<Judge> {
  const { attempts = defaultAttempts, environment, makeFolders } = options;
  const listener = await Listener.start();
  const means: JudgeMeans = { agent, environment, listener, makeFolders };
  return {
    identity: agent.identity,
    ask: (question, signal, turns) =>
      ask(question, { means: { ...means, ...(turns && { turns }) }, attempts, signal }),
    close: () => listener.close(),
  };
}

async function ask(
  question: JudgeQuestion,
  asking: { means: JudgeMeans; attempts: number; signal: AbortSignal },
): Promise<Judgement> {
  const { mode, reference } = question;
  const { model } = asking.means.agent.identity;
  const spending = new Spending();
  const prompt = questionText(question);
  const votes = await collect(question.votes, () => askForVote({ ...asking, prompt, spending }));
  const decision = asking.signal.aborted
    ? noVerdict('the judge was stopped before it had given its verdict')
    : majorityOf(votes);
  return {
    mode,
    reference,
    ...decision,
    votes,
    ...(model !== undefined && { model }),
    ...spending.told,
  };
}

/** A few at a time. */
async function collect(count: number, askOnce: () => Promise<Vote>): Promise<Vote[]> {
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
