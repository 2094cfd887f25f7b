import type { LanguageModelV3, LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { Answer } from './answer.js';
import { UnreadableAnswer } from './model-error.js';
import { collectAnswer } from './streamed-answer.js';

/** Asks once. A stream is read to its end before anything of it counts: it may break. */
export async function askModel(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  isStream: boolean,
): Promise<Answer> {
  const answer = isStream ? await askStreaming(model, options) : await askWhole(model, options);
  const { unified, raw } = answer.finishReason;
  if (unified === 'error') throw new UnreadableAnswer(`it ended with ${raw ?? 'an error'}`);
  // Providers' libraries end what has no end with a reason that the model never gave.
  const hasNoEnd = unified === 'other' && raw === undefined;
  if (hasNoEnd && (isStream || answer.content.length === 0)) {
    throw new UnreadableAnswer('it is not complete');
  }
  return answer;
}

async function askWhole(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
): Promise<Answer> {
  const { response, ...answer } = await model.doGenerate(options);
  return { ...answer, model: response?.modelId };
}

async function askStreaming(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
): Promise<Answer> {
  const { stream } = await model.doStream(options);
  return collectAnswer(stream);
}
