import { didYouMean } from './nearest.js';
import type { Problems } from './problem.js';
import { builtinsThatNeedModel } from './schemas/builtin-agents.js';
import type { DataPath, SourceFile } from './source-file.js';

const providers = ['openai', 'anthropic', 'google', 'gemini', 'openai-compatible'];

function needsModel(type: string): boolean {
  return builtinsThatNeedModel.some((name) => name === type);
}

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
    const form = type === 'llm-agent' ? 'as provider:id, such as openai:gpt-4' : 'such as gpt-4';
    problems.atKey(file, path, 'missing-model', `${type} needs a model`, `add a model, ${form}`);
    return;
  }
  if (type !== 'llm-agent') return;
  const [provider = '', ...id] = model.split(':');
  const valuePath = [...path, 'model'];
  if (id.join(':') === '') {
    const message = `the model of an llm-agent is provider:id, found ${JSON.stringify(model)}`;
    problems.atValue(file, valuePath, 'invalid-value', message, 'such as openai:gpt-4');
  } else if (!providers.includes(provider)) {
    const message = `unknown provider ${provider}: expected one of ${providers.join(', ')}`;
    problems.atValue(file, valuePath, 'invalid-value', message, didYouMean(provider, providers));
  }
}
