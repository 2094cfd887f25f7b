import type {
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider';

/** What a model answered, whole. */
export interface Answer {
  content: readonly LanguageModelV3Content[];
  finishReason: LanguageModelV3FinishReason;
  usage: LanguageModelV3Usage;
  warnings: readonly SharedV3Warning[];
  /** The model that says it answered. */
  model?: string | undefined;
}
