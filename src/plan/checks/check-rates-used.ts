import { findBuiltin, findModelForm } from '../../config/agent-kinds.js';
import type { AgentFile } from '../../config/files/agent-file.js';
import { describeRateTarget, type RateTarget } from '../../config/files/eval-file.js';
import { findProvider, type ModelProvider } from '../../config/models.js';
import type { Problems } from '../../config/problems/problem.js';
import type { AgentReference } from '../../config/schemas/eval-schema.js';
import type { Suite } from '../../plan/suite.js';

/** A model that Proctor asks itself, as far as the files say. */
interface AskedModel {
  /** Any of these: which is only known when the address is. */
  providers: readonly ModelProvider[];
  /** Undefined: a variable holds it. */
  model?: string;
}

/** Reports rates for models that neither agent nor judge asks: they limit nothing. */
export function checkRatesUsed(suites: readonly [Suite, ...Suite[]], problems: Problems): void {
  const { source, data } = suites[0].eval;
  // The rates of an eval are for its own agents, and for those that are tried in their place.
  if (suites.some(isAgentReplaced)) return;
  for (const [index, rate] of (data.config.limits?.rates ?? []).entries()) {
    const path = ['config', 'limits', 'rates', index];
    const fault = source.isFaulty(path) ? undefined : explainUnusedRate(suites, rate);
    if (fault) problems.atKey(source, path, 'unused-rate', fault.message, fault.hint);
  }
}

/** Why a rate limits nothing; undefined: it does, or it is not known who is asked. */
export function explainUnusedRate(
  suites: readonly Suite[],
  rate: RateTarget,
): { message: string; hint: string } | undefined {
  const found = suites.map(listAskedModels);
  const asked = found.flatMap((models) => (models === 'unknown' ? [] : models));
  // One variant that it is for is enough.
  if (found.includes('unknown') || asked.some((model) => isFor(rate, model))) return undefined;
  if (asked.length === 0) {
    return {
      message:
        'the rate limits nothing: neither agent nor judge is a model that Proctor asks itself',
      hint: 'rates are for llm-agent and openai-agent; other programs ask their models themselves',
    };
  }
  const { provider, model } = rate;
  const wanted = model === undefined ? `a model of ${provider}` : describeRateTarget(rate);
  const message = `the rate limits nothing: neither agent nor judge uses ${wanted}`;
  return { message, hint: `used is ${[...new Set(asked.map(formatAskedModel))].join(', ')}` };
}

function isFor({ provider, model }: RateTarget, asked: AskedModel): boolean {
  const name = provider === undefined ? undefined : findProvider(provider);
  const isProvider = name === undefined || asked.providers.includes(name);
  return isProvider && (model === undefined || (asked.model ?? model) === model);
}

function formatAskedModel({ providers, model }: AskedModel): string {
  const id = model ?? 'the model of a variable';
  return providers.length === 1 ? `${providers[0]}:${id}` : id;
}

function listAskedModels(suite: Suite): AskedModel[] | 'unknown' {
  const { ref, env } = suite.eval.data.config.llmJudge ?? {};
  const found = [
    suite.agent ? findModelsAskedBy(suite.agent, suite.agentFile) : 'unknown',
    ref ? findModelsAskedBy(ref, suite.judgeFile) : [],
    env ? [{ providers: openaiLike }] : [],
  ] as const;
  const known = found.flatMap((models) => (models === 'unknown' ? [] : models));
  return found.includes('unknown') ? 'unknown' : known;
}

const openaiLike = ['openai', 'openai-compatible'] as const;

function findModelsAskedBy(
  reference: AgentReference,
  file: AgentFile | undefined,
): AskedModel[] | 'unknown' {
  if (reference.type === 'file' && !file) return 'unknown';
  const builtin = reference.type === 'file' ? file?.data.builtin : undefined;
  const type = builtin?.type ?? findBuiltin(reference.type);
  const model = reference.model ?? builtin?.model;
  const form = findModelForm(type ?? '');
  if (form === 'id') {
    return model === undefined ? 'unknown' : [{ providers: openaiLike, model }];
  }
  if (form !== 'provider:id') return [];
  const [name = '', ...id] = (model ?? '').split(':');
  const provider = findProvider(name);
  // What is wrong with it is reported elsewhere.
  return provider ? [{ providers: [provider], model: id.join(':') }] : 'unknown';
}

/** Whether the command line replaces the agent. A choice of the eval's own matrix does not count. */
function isAgentReplaced({ agent, chosenAgent, eval: { data } }: Suite): boolean {
  if (chosenAgent && !chosenAgent.at) return true;
  const { agent: named, matrix } = data.config;
  const models = [named?.model, ...(matrix?.models ?? [])];
  return agent?.model !== undefined && !models.includes(agent.model);
}
