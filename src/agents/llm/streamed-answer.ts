import type {
  LanguageModelV3Content,
  LanguageModelV3Reasoning,
  LanguageModelV3StreamPart,
  LanguageModelV3Text,
} from '@ai-sdk/provider';
import type { Answer } from './answer.js';
import { UnreadableAnswer } from './model-error.js';

/** Puts the parts of a stream together. */
export async function collectAnswer(
  stream: ReadableStream<LanguageModelV3StreamPart>,
): Promise<Answer> {
  const collected = new CollectedAnswer();
  for await (const part of stream) collected.add(part);
  return collected.whole();
}

class CollectedAnswer {
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

  whole(): Answer {
    if (!this.#finish) throw new UnreadableAnswer('it broke off');
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
