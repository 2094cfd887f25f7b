import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Reasoning,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider';
import { UnreadableAnswerError } from './model-errors.js';

/** One whole answer of a model. */
export interface Answer {
  content: readonly LanguageModelV3Content[];
  finishReason: LanguageModelV3FinishReason;
  usage: LanguageModelV3Usage;
  warnings: readonly SharedV3Warning[];
  /** The model that answered, as the API names it. */
  model?: string | undefined;
}

/** Makes one request. A stream is read to its end before anything of it counts, as it may break off. */
export async function askModel(
  model: LanguageModelV3,
  options: LanguageModelV3CallOptions,
  isStream: boolean,
): Promise<Answer> {
  const answer = isStream ? await askStreaming(model, options) : await askWhole(model, options);
  const { unified, raw } = answer.finishReason;
  if (unified === 'error') throw new UnreadableAnswerError(`it ended with ${raw ?? 'an error'}`);
  // Providers' libraries make up a finish reason for an answer that broke off.
  const hasNoEnd = unified === 'other' && raw === undefined;
  if (hasNoEnd && (isStream || answer.content.length === 0)) {
    throw new UnreadableAnswerError('it is not complete');
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

/** Puts the parts of a streamed answer together. */
async function collectAnswer(stream: ReadableStream<LanguageModelV3StreamPart>): Promise<Answer> {
  const collected = new AnswerCollector();
  for await (const part of stream) collected.add(part);
  return collected.finish();
}

class AnswerCollector {
  readonly #content: LanguageModelV3Content[] = [];
  readonly #open = new Map<string, LanguageModelV3Text | LanguageModelV3Reasoning>();
  #warnings: Answer['warnings'] = [];
  #model: string | undefined;
  #finish: Pick<Answer, 'finishReason' | 'usage'> | undefined;

  add(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'error':
        throw part.error;
      case 'stream-start':
        this.#warnings = part.warnings;
        return;
      case 'response-metadata':
        this.#model = part.modelId ?? this.#model;
        return;
      case 'text-start':
      case 'text-delta':
      case 'text-end':
        this.#addTo('text', part);
        return;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#addTo('reasoning', part);
        return;
      case 'tool-call':
        this.#content.push(part);
        return;
      case 'finish':
        this.#finish = part;
    }
  }

  finish(): Answer {
    if (!this.#finish) throw new UnreadableAnswerError('it broke off');
    const { finishReason, usage } = this.#finish;
    return {
      content: this.#content,
      finishReason,
      usage,
      warnings: this.#warnings,
      model: this.#model,
    };
  }

  #addTo(
    type: 'text' | 'reasoning',
    part: Pick<LanguageModelV3Text, 'providerMetadata'> & { id: string; delta?: string },
  ): void {
    const key = `${type} ${part.id}`;
    const block = this.#open.get(key) ?? this.#start(type, key);
    block.text += part.delta ?? '';
    if (part.providerMetadata) block.providerMetadata = part.providerMetadata;
  }

  #start(type: 'text' | 'reasoning', key: string): LanguageModelV3Text | LanguageModelV3Reasoning {
    const block = { type, text: '' };
    this.#open.set(key, block);
    this.#content.push(block);
    return block;
  }
}
