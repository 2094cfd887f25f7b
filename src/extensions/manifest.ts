import { asRecord, asString, isObject, stringifyBounded } from '../base/json.js';
import type { ExtensionManifest, ExtensionOperation } from './extension-definition.js';

/** The version that we speak; those that differ in the last number only are understood. */
export const protocolVersion = '0.0.1';
const understood = /^0\.0\.\d+$/;

/** In characters. */
const longestQuoted = 100;

/** What an extension answered to `initialize`, or what is wrong with it: the end of a sentence. */
export function manifestOf(answer: unknown): ExtensionManifest | { flaw: string } {
  const { name, version, protocolVersion: spoken, description, operations } = asRecord(answer);
  const missing = Object.entries({ name, version, protocolVersion: spoken }).find(
    ([, value]) => typeof value !== 'string',
  );
  if (missing)
    return { flaw: `answered initialize with no manifest: its ${missing[0]} is no text` };
  if (!understood.test(String(spoken))) {
    const quoted = stringifyBounded(spoken, longestQuoted) ?? 'a very long one';
    return { flaw: `speaks version ${quoted} of the protocol; only 0.0.x is understood` };
  }
  if (!isObject(operations)) {
    return { flaw: 'answered initialize with no manifest: its operations are no map' };
  }
  const strange = Object.entries(operations).find(([, operation]) => !isObject(operation));
  if (strange) {
    const quoted = stringifyBounded(strange[0], longestQuoted) ?? 'with a very long name';
    return { flaw: `answered initialize with no manifest: its operation ${quoted} is no map` };
  }
  return {
    name: String(name),
    version: String(version),
    protocolVersion: String(spoken),
    ...described(description),
    operations: new Map(
      Object.entries(operations).map(([operation, value]) => [operation, operationOf(value)]),
    ),
  };
}

function operationOf(value: unknown): ExtensionOperation {
  const { description, params } = asRecord(value);
  return {
    ...described(description),
    ...(params !== undefined && params !== null && { params }),
  };
}

function described(description: unknown): { description?: string } {
  const text = asString(description);
  return text === undefined ? {} : { description: text };
}
