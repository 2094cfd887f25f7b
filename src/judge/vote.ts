import type { Agent, AgentFailure, AgentResult } from '../agents/agent.js';
import { errorMessage } from '../base/errors.js';
import { truncate } from '../base/text.js';
import type { AgentStep, Judgement, Vote } from '../journal/step-events.js';
import { addJudgeUsage, type JudgeUsage } from '../journal/usage.js';
import type { ModelGate } from '../limits/rate-limiter.js';
import type { Listener } from '../proxy/listener.js';
import { JudgementRoute } from './judgement-server.js';
import { JudgementCalls, type JudgeVerdict, judgementToolName } from './judgement-tool.js';

/** Folders for one attempt of a judge. */
export interface JudgeFolders {
  workdir: string;
  privateFolder: string;
  remove(): Promise<void>;
}

/** What is needed to ask a judge. */
export interface JudgeResources {
  agent: Agent;
  environment: NodeJS.ProcessEnv;
  listener: Listener;
  /** Makes new folders for an attempt. */
  makeFolders(): Promise<JudgeFolders>;
  /** Rate limits of its model, if Proctor makes the requests. */
  turns?: ModelGate;
}

/** The result of one attempt. */
export interface Attempt {
  outcome: { verdict: JudgeVerdict } | { error: string };
  /** Whether another attempt is of no use. */
  isHopeless: boolean;
  /** The result of the agent, unless it could not be run. */
  result?: AgentResult;
}

/** Asks a judge once. Never rejects: whatever goes wrong, there is no verdict. */
async function askOnce(
  means: JudgeResources,
  prompt: string,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const folders = await means.makeFolders();
    try {
      return await askInFolders(folders, means, prompt, signal);
    } finally {
      // A folder that cannot be removed is no reason to lose a verdict.
      await folders.remove().catch(() => {});
    }
  } catch (error) {
    const message = errorMessage(error);
    return { outcome: { error: `it could not be asked: ${message}` }, isHopeless: false };
  }
}

async function askInFolders(
  { workdir, privateFolder }: JudgeFolders,
  { agent, environment, listener, turns }: JudgeResources,
  prompt: string,
  signal: AbortSignal,
): Promise<Attempt> {
  const calls = new JudgementCalls();
  const route = listener.add('judge', new JudgementRoute(calls));
  try {
    const result = await agent.run({
      prompt,
      servers: [{ name: 'judge', url: route.url, allowedTools: [judgementToolName] }],
      workdir,
      privateFolder,
      environment,
      signal,
      report: watchCalls(calls),
      isDone: () => calls.hasValid,
      ...(turns && { turns }),
    });
    const error = findFailure(result);
    const isHopeless = result.failure?.code === 'not-started';
    const outcome = error === undefined ? calls.outcome(formatSaid(result.output)) : { error };
    return { outcome, isHopeless, result };
  } finally {
    // Processes that the agent left behind cannot submit anything any more.
    route.remove();
  }
}

/** How many open calls of the agent are watched. */
const maxWatched = 1000;

/** Watches the agent's steps: some agents refuse a malformed call themselves, which is invalid too. */
function watchCalls(calls: JudgementCalls): (step: AgentStep) => void {
  const underWay = new Set<string>();
  return (step) => {
    if (step.kind === 'tool-call' && step.id !== undefined && underWay.size < maxWatched) {
      if (step.tool.includes(judgementToolName)) underWay.add(step.id);
    } else if (step.kind === 'tool-result' && step.id !== undefined) {
      const isOurs = underWay.delete(step.id);
      if (isOurs && step.isError) calls.refuse('the call came to an error');
    }
  };
}

/** Finds why nothing that the judge submitted counts. */
function findFailure(result: AgentResult): string | undefined {
  const { end, failure, unusableServers = [], permissionDenials = [] } = result;
  if (end === 'stopped') return 'it was stopped';
  if (end === 'failed') return failure ? formatFailure(failure) : 'it failed and did not say why';
  const [unusable] = unusableServers;
  if (unusable) return `it could not use the tool ${judgementToolName}: ${unusable.status}`;
  const isDenied = permissionDenials.some(({ tool }) => tool.includes(judgementToolName));
  return isDenied ? `it was not allowed to use the tool ${judgementToolName}` : undefined;
}

/** Lengths of quoted texts, in characters. */
const maxSaid = 300;
const maxLogged = 1024;
const maxLoggedLines = 10;

/** Formats a failure with the end of the agent's log, where its program says what was wrong. */
export function formatFailure({ message, details = '' }: AgentFailure): string {
  const lines = keepEnd(details.trim(), maxLogged).split(/[\r\n]+/);
  const logged = joinLines(lines.slice(-maxLoggedLines).join('\n'));
  return logged === '' ? message : `${message}; its log ends with: ${logged}`;
}

/** Formats what an agent said instead of calling its tool; empty if it said nothing. */
export function formatSaid(output: string): string {
  const said = joinLines(keepBeginning(output.trim(), maxSaid));
  return said === '' ? '' : `; it said: "${said}"`;
}

function joinLines(shortText: string): string {
  return shortText.replace(/\s*[\r\n]\s*/g, ' ');
}

// Secrets are taken out later, and half of one would not be recognised: at a cut goes all that could
// belong to one, even if nothing is left.

function keepBeginning(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${text.slice(0, maxLength).replace(/[!-~]+$/, '')}…`;
}

function keepEnd(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `…${text.slice(-maxLength).replace(/^[!-~]+/, '')}`;
}

/** Adds up tokens and cost of a judgement over all attempts. */
export class Spending {
  readonly #usage: JudgeUsage = {};
  #model: string | undefined;

  add({ usage, cost, costSource = 'reported', model }: AgentResult): void {
    addJudgeUsage(this.#usage, {
      ...(usage && { usage }),
      ...(cost !== undefined && { cost, costSource }),
    });
    this.#model ??= model;
  }

  /** The sum, as far as the judge reported it. */
  get total(): Pick<Judgement, 'model' | 'usage' | 'cost' | 'costSource'> {
    return { ...this.#usage, ...(this.#model !== undefined && { model: this.#model }) };
  }
}

/** Longest reason or error, in characters. */
const maxReason = 8 * 1024;

interface VoteOptions {
  means: JudgeResources;
  /** Maximum of attempts. */
  attempts: number;
  prompt: string;
  signal: AbortSignal;
  spending: Spending;
}

/** Asks until there is a verdict, or another attempt is of no use. */
export async function askForVote(options: VoteOptions): Promise<Vote> {
  const { means, attempts, prompt, signal, spending } = options;
  let made = 0;
  let error = 'it was stopped before it was asked';
  while (made < attempts && !signal.aborted) {
    const { outcome, isHopeless, result }: Attempt = await askOnce(means, prompt, signal);
    made += 1;
    if (result) spending.add(result);
    if ('verdict' in outcome) {
      const { passed, reason, failureCategory } = outcome.verdict;
      return { passed, reason: truncate(reason, maxReason), failureCategory, attempts: made };
    }
    error = truncate(outcome.error, maxReason);
    if (isHopeless) break;
  }
  return { passed: null, error, attempts: made };
}
