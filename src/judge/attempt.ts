import type { Agent, AgentResult } from '../agents/agent.js';
import { errorMessage } from '../base/errors.js';
import type { AgentStep } from '../journal/step-events.js';
import type { ModelTurns } from '../limits/rate-limiter.js';
import type { Listener } from '../proxy/listener.js';
import type { JudgeFolders } from './judge.js';
import { failureText, saidText } from './judge-words.js';
import { JudgementCalls } from './judgement-calls.js';
import { JudgementRoute } from './judgement-route.js';
import { judgementToolName, type Verdict } from './judgement-tool.js';

/** What it takes to ask a judge. */
export interface JudgeMeans {
  agent: Agent;
  environment: NodeJS.ProcessEnv;
  listener: Listener;
  /** Fresh ones for each attempt. */
  makeFolders(): Promise<JudgeFolders>;
  /** Of its model, if it has one that we ask. */
  turns?: ModelTurns;
}

/** What became of asking a judge once. */
export interface Attempt {
  outcome: { verdict: Verdict } | { error: string };
  /** It will not get better if it is asked again. */
  isHopeless: boolean;
  /** What the agent tells of its work; none if it came to nothing. */
  result?: AgentResult;
}

/** Asks a judge once. Never rejects: whatever goes wrong, there is no verdict. */
export async function attempt(
  means: JudgeMeans,
  prompt: string,
  signal: AbortSignal,
): Promise<Attempt> {
  try {
    const folders = await means.makeFolders();
    try {
      return await inFolders(folders, means, prompt, signal);
    } finally {
      // What cannot be removed is no reason to lose a verdict.
      await folders.remove().catch(() => {});
    }
  } catch (error) {
    const message = errorMessage(error);
    return { outcome: { error: `it could not be asked: ${message}` }, isHopeless: false };
  }
}

async function inFolders(
  { workdir, privateFolder }: JudgeFolders,
  { agent, environment, listener, turns }: JudgeMeans,
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
      report: watcher(calls),
      isDone: () => calls.hasValid,
      ...(turns && { turns }),
    });
    const error = failureOf(result);
    const isHopeless = result.failure?.code === 'not-started';
    const outcome = error === undefined ? calls.outcome(saidText(result.output)) : { error };
    return { outcome, isHopeless, result };
  } finally {
    // What the agent left behind has nobody to talk to any more.
    route.remove();
  }
}

/** Calls that are under way by the agent's own account. */
const maxWatched = 1000;

/** Some agents refuse a malformed call themselves, and it never comes to us: it is invalid too. */
function watcher(calls: JudgementCalls): (step: AgentStep) => void {
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

/** Why nothing that the judge submitted counts. */
function failureOf(result: AgentResult): string | undefined {
  const { end, failure, unusableServers = [], permissionDenials = [] } = result;
  if (end === 'stopped') return 'it was stopped';
  if (end === 'failed') return failure ? failureText(failure) : 'it failed and did not say why';
  const [unusable] = unusableServers;
  if (unusable) return `it could not use the tool ${judgementToolName}: ${unusable.status}`;
  const isDenied = permissionDenials.some(({ tool }) => tool.includes(judgementToolName));
  return isDenied ? `it was not allowed to use the tool ${judgementToolName}` : undefined;
}
