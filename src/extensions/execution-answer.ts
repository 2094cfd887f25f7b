import { asRecord, isObject, stringifyBounded } from '../base/json.js';
import type { ExtensionAnswer } from '../steps/step-services.js';

const maxOutputs = 1000;
const maxNameLength = 256;
/** In characters: no more can come in one message. */
const maxLength = 32 * 1024 * 1024;

/** What an extension answered to `execute`, or what is wrong with it: the end of a sentence. */
export function executionAnswer(result: unknown): Omit<ExtensionAnswer, 'log'> | { flaw: string } {
  const { success, message, error, outputs } = asRecord(result);
  if (typeof success !== 'boolean') {
    return { flaw: 'gave an answer that does not say whether it succeeded: success is no boolean' };
  }
  if (!isOptionalText(message)) return { flaw: 'gave an answer whose message is no text' };
  if (!isOptionalText(error)) return { flaw: 'gave an answer whose error is no text' };
  // Whichever of the two was meant: to take it for a success would be the worse mistake.
  if (success && error)
    return { flaw: 'gave an answer that contradicts itself: success, and an error' };
  const texts = outputTexts(outputs ?? {});
  if ('flaw' in texts) return texts;
  return {
    success,
    ...(message && { message }),
    ...(error && { error }),
    outputs: texts.outputs,
  };
}

function isOptionalText(value: unknown): value is string | null | undefined {
  return value === undefined || value === null || typeof value === 'string';
}

/** Later steps refer to outputs as text. */
function outputTexts(
  outputs: unknown,
): { outputs: Readonly<Record<string, string>> } | { flaw: string } {
  if (!isObject(outputs)) {
    return { flaw: 'gave an answer whose outputs are no map' };
  }
  const entries = Object.entries(outputs).filter(([, value]) => value !== null);
  if (entries.length > maxOutputs) {
    return { flaw: `gave an answer with ${entries.length} outputs; ${maxOutputs} are allowed` };
  }
  const texts: [name: string, text: string][] = [];
  for (const [name, value] of entries) {
    if (name.length > maxNameLength) {
      return { flaw: `gave an answer with an output whose name has ${name.length} characters` };
    }
    const text = typeof value === 'string' ? value : stringifyBounded(value, maxLength);
    if (text === undefined) return { flaw: `gave the output ${name}, which is nested too deep` };
    texts.push([name, text]);
  }
  return { outputs: Object.fromEntries(texts) };
}
