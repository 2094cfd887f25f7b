import type { Agent, AgentDefinition, AgentProblem, AgentResult, AgentTask } from '../agent.js';
import { type Endpoint, findEndpoint } from './endpoint.js';
import { type BuiltinData, chooseModel } from './model-choice.js';
import { type ModelParams, readParams } from './model-params.js';

/** A model that is asked directly, with the servers' tools: `openai-agent` and `llm-agent`. */
export function createAgent({ name, data }: AgentDefinition): Agent {
  const { builtin } = data;
  if (!builtin) throw new Error(`the agent ${name} is no builtin`);
  const type = builtin.type === 'openai-acp' ? 'openai-agent' : builtin.type;
  const { model } = builtin;
  return {
    identity: { name, type, ...(model !== undefined && { model }) },
    billing: (environment) => {
      const { endpoint } = settingsOf(builtin, environment);
      return endpoint && { by: 'tokens', provider: endpoint.provider, model: endpoint.model };
    },
    prepare: async ({ environment }) => ({ problems: settingsOf(builtin, environment).problems }),
    findShutdown: async (context) => {
      const environment = { ...context.environment, ...builtin.env };
      const { endpoint } = settingsOf(builtin, environment);
      if (!endpoint) return undefined;
      const { askShutdown } = await import('./model-shutdown.js');
      return askShutdown(endpoint, { ...context, environment });
    },
    run: (task) => run(builtin, task),
  };
}

interface Settings {
  problems: AgentProblem[];
  params: ModelParams;
  /** If there are no problems. */
  endpoint?: Endpoint;
}

function settingsOf(builtin: BuiltinData, environment: NodeJS.ProcessEnv): Settings {
  const { params, problems } = readParams(builtin.params);
  const choice = chooseModel(builtin);
  if (!('model' in choice)) return { params, problems: [choice, ...problems] };
  const endpoint = findEndpoint(choice, builtin, { ...environment, ...builtin.env });
  if (!('baseUrl' in endpoint)) return { params, problems: [endpoint, ...problems] };
  return { params, problems, endpoint };
}

async function run(builtin: BuiltinData, task: AgentTask): Promise<AgentResult> {
  const environment = { ...task.environment, ...builtin.env };
  const { endpoint, params, problems } = settingsOf(builtin, environment);
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
