import { describeMissingModel } from '../../config/files/agent-file.js';
import { findProvider, type ModelProvider, providerNames } from '../../config/models.js';
import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { AgentProblem } from '../agent.js';

export type BuiltinData = NonNullable<AgentData['builtin']>;

/** Which model, and whose. `any-openai` is whoever has an address like OpenAI's. */
export interface ModelChoice {
  provider: ModelProvider | 'any-openai';
  model: string;
}

export function chooseModel({ type, model }: BuiltinData): ModelChoice | AgentProblem {
  const isLlmAgent = type === 'llm-agent';
  if (model === undefined) {
    const [message, hint] = describeMissingModel(type);
    return { message, hint };
  }
  if (!isLlmAgent) return { provider: 'any-openai', model };
  const end = model.indexOf(':');
  const provider = findProvider(model.slice(0, Math.max(end, 0)));
  if (provider && end + 1 < model.length) return { provider, model: model.slice(end + 1) };
  return {
    message: `the model of an llm-agent is provider:id, found ${JSON.stringify(model)}`,
    hint: `a provider is one of ${providerNames.join(', ')}`,
  };
}
