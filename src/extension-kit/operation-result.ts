import { isObject } from '../base/json.js';
import { RpcError, rpcErrorCodes } from './rpc-error.js';

interface Succeeded {
  success?: true;
  /** A sentence for people. */
  message?: string;
  /** For later steps: `{steps.<id>.<output>}`. Text, numbers, booleans or other JSON. */
  outputs?: Readonly<Record<string, unknown>>;
}

interface Failed {
  success: false;
  /** What was expected, and what was found. */
  error: string;
  message?: string;
  outputs?: Readonly<Record<string, unknown>>;
}

/** What became of an operation; nothing means that it succeeded. */
// biome-ignore lint/suspicious/noConfusingVoidType: what a function without `return` returns.
export type OperationResult = Succeeded | Failed | void;

/** As `execute` answers it. */
export interface ExecuteAnswer {
  success: boolean;
  message?: string;
  error?: string;
  outputs?: Readonly<Record<string, unknown>>;
}

/** What each member may be. */
const members = new Map<string, (value: unknown) => boolean>([
  ['success', (value) => typeof value === 'boolean'],
  ['message', (value) => typeof value === 'string'],
  ['error', (value) => typeof value === 'string'],
  ['outputs', isObject],
]);

/**
 * Not everybody has a compiler. An operation that returns `false` or `{ passed: false }` wants to say
 * something, and taking it for a success would be the worst that could be made of it.
 */
export function answerOf(returned: unknown): ExecuteAnswer {
  if (returned === undefined) return { success: true };
  if (!isObject(returned)) throw misused(`returned ${kindOf(returned)}, not an object`);
  for (const [name, value] of Object.entries(returned)) {
    const isValid = members.get(name);
    if (!isValid) throw misused(`returned an object with \`${name}\``);
    if (value !== undefined && !isValid(value)) {
      throw misused(`returned ${kindOf(value)} as \`${name}\``);
    }
  }
  const { success = returned.error === undefined, error } = returned;
  if (success === (error !== undefined)) {
    throw misused(`returned success: ${success} ${success ? 'with' : 'without'} an error`);
  }
  return { ...returned, success: success === true };
}

function kindOf(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function misused(what: string): RpcError {
  return new RpcError(
    rpcErrorCodes.internalError,
    `the operation ${what}; expected nothing or { success, message, error, outputs }`,
  );
}
