import type { AgentResult, AgentServer } from '../../src/agents/agent.js';
import { createLlmAgent } from '../../src/agents/llm/llm-agent.js';
import type { AgentData } from '../../src/config/schemas/agent-schema.js';
import type { AgentStep } from '../../src/journal/step-events.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import type { ApiName } from './model-server/model-api.js';
import { ModelServer } from './model-server/model-server.js';
import type { Script } from './model-server/turn.js';

type Builtin = NonNullable<AgentData['builtin']>;

export interface Provider {
  name: string;
  api: ApiName;
  /** The agent and its variables, for a model server. */
  agent(url: string): { builtin: Builtin; environment: NodeJS.ProcessEnv };
}

/** Part of no message, ever. */
export const secretKey = 'c2VjcmV0LWtleQ-1234567890';

/** Each way to reach a model, with the key and the address in different places. */
export const providers: Provider[] = [
  {
    name: 'openai',
    api: 'openai-chat',
    agent: (url) => ({
      builtin: { type: 'llm-agent', model: 'openai:m-1' },
      environment: { OPENAI_API_KEY: secretKey, OPENAI_BASE_URL: `${url}/v1` },
    }),
  },
  {
    name: 'openai, over the Responses API',
    api: 'openai-responses',
    agent: (url) => ({
      builtin: { type: 'llm-agent', model: 'openai:m-1', useResponsesAPI: true },
      environment: { OPENAI_API_KEY: secretKey, OPENAI_BASE_URL: `${url}/v1` },
    }),
  },
  {
    name: 'anthropic',
    api: 'anthropic',
    agent: (url) => ({
      builtin: {
        type: 'llm-agent',
        model: 'anthropic:m-1',
        env: { ANTHROPIC_BASE_URL: url },
        apiKey: 'MY_KEY',
      },
      environment: { MY_KEY: secretKey, ANTHROPIC_BASE_URL: 'http://not-this.invalid' },
    }),
  },
  {
    name: 'google',
    api: 'google',
    agent: (url) => ({
      builtin: { type: 'llm-agent', model: 'gemini:m-1' },
      environment: { GEMINI_API_KEY: secretKey, GOOGLE_GEMINI_BASE_URL: url },
    }),
  },
  {
    name: 'openai-compatible',
    api: 'openai-chat',
    agent: (url) => ({
      builtin: { type: 'llm-agent', model: 'openai-compatible:m-1', baseUrl: `${url}/v1` },
      environment: {},
    }),
  },
  {
    name: 'openai-agent',
    api: 'openai-chat',
    agent: (url) => ({
      builtin: { type: 'openai-agent', model: 'm-1' },
      environment: { MODEL_KEY: secretKey, MODEL_BASE_URL: `${url}/v1` },
    }),
  },
];

interface Options {
  prompt?: string;
  params?: Record<string, unknown>;
  servers?: readonly AgentServer[];
  signal?: AbortSignal;
  /** Told each step. */
  onStep?(step: AgentStep): void;
  /** Told when the model server is there. */
  onModel?(model: ModelServer): void;
}

interface AgentRun {
  result: AgentResult;
  steps: AgentStep[];
  model: ModelServer;
}

/** Runs the agent against a model that follows a script. */
export async function runLlmAgent(
  provider: Provider,
  script: Script,
  options: Options = {},
): Promise<AgentRun> {
  const model = await ModelServer.start(script);
  onLoneTestFinished(() => model.close());
  options.onModel?.(model);
  const { builtin, environment } = provider.agent(model.url);
  const params = options.params && { params: options.params };
  const data: AgentData = { kind: 'Agent', builtin: { ...builtin, ...params } };
  const steps: AgentStep[] = [];
  const result = await createLlmAgent({ name: 'under test', data }).run({
    prompt: options.prompt ?? 'Do it.',
    servers: options.servers ?? [],
    workdir: '/nowhere',
    privateFolder: '/nowhere',
    environment,
    signal: options.signal ?? new AbortController().signal,
    report: (step) => {
      steps.push(step);
      options.onStep?.(step);
    },
  });
  return { result, steps, model };
}
