import { LocalRateLimiter } from '../../limits/local-rate-limiter.js';
import type { AgentResult, AgentTask } from '../agent.js';
import { Conversation } from './conversation.js';
import type { Endpoint } from './endpoint.js';
import { loadModel } from './load-model.js';
import { failureOf } from './model-failure.js';
import type { ModelParams } from './model-params.js';
import { connectServers } from './servers.js';

/** Gives a task to a model. */
export async function runTask(
  task: AgentTask,
  endpoint: Endpoint,
  params: ModelParams,
): Promise<AgentResult> {
  const { signal, report } = task;
  const { servers, tools, unusable } = await connectServers(task);
  try {
    if (signal.aborted) return { end: 'stopped', output: '' };
    const [first] = unusable;
    if (first) {
      const message = `the MCP server ${first.name} could not be used: ${first.status}`;
      const failure = { code: 'not-started', message } as const;
      return { end: 'failed', failure, output: '', unusableServers: unusable };
    }
    const makeModel = await loadModel(endpoint, task.environment);
    const name = { provider: endpoint.provider, model: endpoint.model };
    const turns = task.turns ?? new LocalRateLimiter(() => ({}));
    const isDone = () => task.isDone?.() ?? false;
    const asking = { makeModel, name, turns, params, signal, report };
    const conversation = new Conversation({ ...asking, tools, isDone });
    const end = await endOf(conversation, task, endpoint);
    const lost = unusable.length > 0 ? { unusableServers: unusable } : {};
    return { ...end, ...conversation.result, ...lost };
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
}

async function endOf(
  conversation: Conversation,
  { prompt, signal }: AgentTask,
  endpoint: Endpoint,
): Promise<Pick<AgentResult, 'end' | 'failure'>> {
  try {
    await conversation.run(prompt);
    return { end: 'finished' };
  } catch (error) {
    const { unanswered } = conversation;
    if (signal.aborted && unanswered) {
      return { end: 'stopped', failure: failureOf(unanswered, endpoint) };
    }
    if (signal.aborted) return { end: 'stopped' };
    return { end: 'failed', failure: failureOf(error, endpoint) };
  }
}
