import { didYouMean } from '../base/nearest.js';
import { exampleModels } from './known-models.js';
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
  builtin: {
    type: string;
    model?: string | undefined;
    useResponsesAPI?: boolean | undefined;
  },
  problems: Problems,
): void {
  const { type, model } = builtin;
  if (builtin.useResponsesAPI !== undefined && !hasResponsesAPI(type, model)) {
    const message = 'useResponsesAPI means nothing here: only models of OpenAI have it';
    problems.atKey(file, [...path, 'useResponsesAPI'], 'unknown-key', message);
  }
  if (model === undefined) {
    if (!needsModel(type) || file.isFaulty([...path, 'model'])) return;
    problems.atKey(file, path, 'missing-model', ...missingModel(type));
    return;
  }
  const flaw = modelFlaw(type, model);
  if (flaw) problems.atValue(file, [...path, 'model'], 'invalid-value', flaw.message, flaw.hint);
}

/** Also where it is not clear which provider is meant: that is reported elsewhere. */
function hasResponsesAPI(type: string, model = ''): boolean {
  if (type !== 'llm-agent') return type !== 'claude-code';
  const provider = providerNamed(model.split(':', 1)[0] ?? '');
  return provider !== 'anthropic' && provider !== 'google';
}

/** Whether a built-in agent cannot do without being told a model. */
export function needsModel(type: string): boolean {
  return builtinsThatNeedModel.some((name) => name === type);
}

/** In words, with what helps. */
export function missingModel(type: string): [message: string, hint: string] {
  const { small } = exampleModels;
  const form =
    type === 'llm-agent' ? `as provider:id, such as openai:${small}` : `such as ${small}`;
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
    return { message, hint: `such as openai:${exampleModels.small}` };
  }
  if (providerNamed(provider) !== undefined) return undefined;
  const message = `unknown provider ${provider}: expected one of ${providerNames.join(', ')}`;
  return { message, hint: didYouMean(provider, providerNames) };
}
