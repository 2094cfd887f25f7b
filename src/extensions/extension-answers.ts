import { asRecord, asString, isObject, stringifyIfShort } from '../base/json.js';
import type { ExtensionAnswer } from '../steps/step.js';
import type { ExtensionManifest, ExtensionOperation } from './extension-definition.js';

/** The version of the protocol in use; versions that differ only in the last number are understood. */
export const protocolVersion = '0.0.1';
const understood = /^0\.0\.\d+$/;

/** Longest quoted value, in characters. */
const longestQuoted = 100;

/** Reads the answer to `initialize`. A flaw is the predicate of a sentence about the extension. */
export function readManifest(answer: unknown): ExtensionManifest | { flaw: string } {
  const { name, version, protocolVersion: spoken, description, operations } = asRecord(answer);
  const missing = Object.entries({ name, version, protocolVersion: spoken }).find(
    ([, value]) => typeof value !== 'string',
  );
  if (missing)
    return { flaw: `answered initialize with no manifest: its ${missing[0]} is not text` };
  if (!understood.test(String(spoken))) {
    const quoted = stringifyIfShort(spoken, longestQuoted) ?? 'a very long one';
    return { flaw: `speaks version ${quoted} of the protocol; only 0.0.x is understood` };
  }
  if (!isObject(operations)) {
    return { flaw: 'answered initialize with no manifest: its operations are not a map' };
  }
  const strange = Object.entries(operations).find(([, operation]) => !isObject(operation));
  if (strange) {
    const quoted = stringifyIfShort(strange[0], longestQuoted) ?? 'with a very long name';
    return { flaw: `answered initialize with no manifest: its operation ${quoted} is not a map` };
  }
  return {
    name: String(name),
    version: String(version),
    protocolVersion: String(spoken),
    ...readDescription(description),
    operations: new Map(
      Object.entries(operations).map(([operation, value]) => [operation, readOperation(value)]),
    ),
  };
}

function readOperation(value: unknown): ExtensionOperation {
  const { description, params } = asRecord(value);
  return {
    ...readDescription(description),
    ...(params !== undefined && params !== null && { params }),
  };
}

function readDescription(description: unknown): { description?: string } {
  const text = asString(description);
  return text === undefined ? {} : { description: text };
}

const maxOutputs = 1000;
const maxNameLength = 256;
/** Longest output, in characters: one message cannot hold more. */
const maxOutputLength = 32 * 1024 * 1024;

/** Reads the answer to `execute`. A flaw is the predicate of a sentence about the extension. */
export function readExecutionAnswer(
  result: unknown,
): Omit<ExtensionAnswer, 'log'> | { flaw: string } {
  const { success, message, error, outputs } = asRecord(result);
  if (typeof success !== 'boolean') {
    return {
      flaw: 'gave an answer that does not say whether it succeeded: success is not a boolean',
    };
  }
  if (!isOptionalText(message)) return { flaw: 'gave an answer whose message is not text' };
  if (!isOptionalText(error)) return { flaw: 'gave an answer whose error is not text' };
  // Whichever was meant, treating it as a success would be the worse mistake.
  if (success && error)
    return { flaw: 'gave an answer that contradicts itself: success, and an error' };
  const texts = readOutputs(outputs ?? {});
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

/** Converts outputs to text, as later steps refer to them. */
function readOutputs(
  outputs: unknown,
): { outputs: Readonly<Record<string, string>> } | { flaw: string } {
  if (!isObject(outputs)) {
    return { flaw: 'gave an answer whose outputs are not a map' };
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
    const text = typeof value === 'string' ? value : stringifyIfShort(value, maxOutputLength);
    if (text === undefined) return { flaw: `gave the output ${name}, which is nested too deep` };
    texts.push([name, text]);
  }
  return { outputs: Object.fromEntries(texts) };
}
