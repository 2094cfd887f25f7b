import type { Agent, AgentDefinition, AgentResult, AgentTask } from '../agent.js';
import { type BuiltinData, readModelSettings } from './model-settings.js';

/** A model that is asked directly, with the servers' tools: `openai-agent` and `llm-agent`. */
export function createLlmAgent({ name, data }: AgentDefinition): Agent {
  const { builtin } = data;
  if (!builtin) throw new Error(`the agent ${name} is no builtin`);
  const type = builtin.type === 'openai-acp' ? 'openai-agent' : builtin.type;
  const { model } = builtin;
  return {
    identity: { name, type, ...(model !== undefined && { model }) },
    billing: (environment) => {
      const { endpoint } = readModelSettings(builtin, environment);
      return endpoint && { by: 'tokens', provider: endpoint.provider, model: endpoint.model };
    },
    prepare: async ({ environment }) => ({
      problems: readModelSettings(builtin, environment).problems,
    }),
    findShutdown: async (context) => {
      const environment = { ...context.environment, ...builtin.env };
      const { endpoint } = readModelSettings(builtin, environment);
      if (!endpoint) return undefined;
      const { fetchShutdown } = await import('./model-shutdown.js');
      return fetchShutdown(endpoint, { ...context, environment });
    },
    run: (task) => run(builtin, task),
  };
}

async function run(builtin: BuiltinData, task: AgentTask): Promise<AgentResult> {
  const environment = { ...task.environment, ...builtin.env };
  const { endpoint, params, problems } = readModelSettings(builtin, environment);
  const [problem] = problems;
  if (!endpoint || problem) {
    const { message = '', hint } = problem ?? {};
    const details = hint === undefined ? {} : { details: hint };
    return { end: 'failed', failure: { code: 'not-started', message, ...details }, output: '' };
  }
  // The libraries for models are large: only a run needs them.
  const { runTask } = await import('./run-task.js');
  return runTask({ ...task, environment }, endpoint, params);
}
