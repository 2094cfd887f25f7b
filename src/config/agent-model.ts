import { didYouMean } from './nearest.js';
import type { Problems } from './problem.js';
import { builtinsThatNeedModel } from './schemas/builtin-agents.js';
import { providerNamed, providerNames } from './schemas/model-providers.js';
import type { DataPath, SourceFile } from './source-file.js';

/**
 * Checks the model of a built-in agent, given either as `{type, model}` in an eval or under
 * `builtin` in an Agent file. `type` is without the prefix `builtin.`.
 */
export function checkModel(
  file: SourceFile,
  path: DataPath,
  { type, model }: { type: string; model?: string | undefined },
  problems: Problems,
): void {
  if (model === undefined) {
    if (!needsModel(type) || file.isFaulty([...path, 'model'])) return;
    problems.atKey(file, path, 'missing-model', ...missingModel(type));
    return;
  }
  const flaw = modelFlaw(type, model);
  if (flaw) problems.atValue(file, [...path, 'model'], 'invalid-value', flaw.message, flaw.hint);
}

/** Whether a built-in agent cannot do without being told a model. */
export function needsModel(type: string): boolean {
  return builtinsThatNeedModel.some((name) => name === type);
}

/** In words, with what helps. */
export function missingModel(type: string): [message: string, hint: string] {
  const form = type === 'llm-agent' ? 'as provider:id, such as openai:gpt-4' : 'such as gpt-4';
  return [`${type} needs a model`, `add a model, ${form}`];
}

/** What is wrong with the name of a model for an agent; `type` is without the prefix `builtin.`. */
export function modelFlaw(
  type: string,
  model: string,
): { message: string; hint?: string | undefined } | undefined {
  if (type !== 'llm-agent') return undefined;
  const [provider = '', ...id] = model.split(':');
  if (id.join(':') === '') {
    const message = `the model of an llm-agent is provider:id, found ${JSON.stringify(model)}`;
    return { message, hint: 'such as openai:gpt-4' };
  }
  if (providerNamed(provider) !== undefined) return undefined;
  const message = `unknown provider ${provider}: expected one of ${providerNames.join(', ')}`;
  return { message, hint: didYouMean(provider, providerNames) };
}
