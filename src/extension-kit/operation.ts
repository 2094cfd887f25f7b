import { parseDuration } from '../base/duration.js';
import { isObject, type JsonObject } from '../base/json.js';
import type { Extension, ExtensionLog, Operation, OperationContext } from './extension.js';
import { formatThrown, RpcError, rpcErrorCodes } from './rpc.js';

interface ExecutionContext {
  state: unknown;
  log: ExtensionLog;
  /** Aborted when the extension is to end. */
  ending: AbortSignal;
}

/** Runs an operation. Throws RpcError for what says nothing about the task: a bad request, or a misuse. */
export async function executeOperation(
  { operations }: Extension<unknown>,
  { operation: name, args = {}, context: sentContext }: JsonObject,
  { state, log, ending }: ExecutionContext,
): Promise<ExecuteAnswer> {
  const operation = findOperation(operations, name);
  if (!isObject(args)) throw new RpcError(rpcErrorCodes.invalidParams, '`args` is not an object');
  const context = readContext(sentContext);
  const limit = new OperationTimeLimit(context.timeout, ending);
  const { signal } = limit;
  let returned: unknown;
  try {
    returned = await operation.run(args, { state, context, log, signal });
  } catch (error) {
    // It was aborted, so it has found out nothing about the task.
    if (signal.aborted)
      throw new RpcError(rpcErrorCodes.internalError, formatThrown(signal.reason));
    return { success: false, error: formatThrown(error) };
  } finally {
    limit.release();
  }
  return readAnswer(returned);
}

function findOperation(
  operations: Readonly<Record<string, Operation<unknown>>>,
  name: unknown,
): Operation<unknown> {
  const isKnown = typeof name === 'string' && Object.hasOwn(operations, name);
  const operation = isKnown ? operations[name] : undefined;
  if (operation) return operation;
  const known = Object.keys(operations).join(', ');
  throw new RpcError(
    rpcErrorCodes.invalidParams,
    `there is no operation ${String(name)}; there are: ${known}`,
  );
}

/** Longest time of a timer, in milliseconds: with more it would fire at once. */
const longestWait = 2 ** 31 - 1;

/** A signal that is aborted when the time is over, and when the extension ends. */
export class OperationTimeLimit {
  readonly signal: AbortSignal;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(timeout: string | undefined, ending: AbortSignal) {
    const over = new AbortController();
    const duration = parseDuration(timeout ?? '');
    if (duration.ok) {
      this.#timer = setTimeout(
        () => over.abort(new Error(`the step's time limit of ${timeout} was reached`)),
        Math.min(duration.milliseconds, longestWait),
      );
    }
    this.signal = AbortSignal.any([over.signal, ending]);
  }

  release(): void {
    clearTimeout(this.#timer);
  }
}

const phases = ['setup', 'verify', 'cleanup'] as const;

/** Reads the context of a request. Throws RpcError. */
function readContext(context: unknown): OperationContext {
  if (!isObject(context)) throw createInvalidParamError('context');
  const { workdir, timeout } = context;
  const phase = phases.find((known) => known === context.phase);
  if (typeof workdir !== 'string') throw createInvalidParamError('context.workdir');
  if (phase === undefined) throw createInvalidParamError('context.phase');
  const { prompt, output } = readTexts(context.agent);
  return {
    workdir,
    phase,
    env: readTexts(context.env),
    ...(typeof timeout === 'string' && { timeout }),
    agent: { ...(prompt !== undefined && { prompt }), ...(output !== undefined && { output }) },
  };
}

function readTexts(value: unknown): Record<string, string> {
  const members: JsonObject = isObject(value) ? value : {};
  const isText = (member: [string, unknown]): member is [string, string] =>
    typeof member[1] === 'string';
  return Object.fromEntries(Object.entries(members).filter(isText));
}

function createInvalidParamError(name: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidParams, `\`${name}\` is missing or invalid`);
}

/** The answer to `execute`. */
interface ExecuteAnswer {
  success: boolean;
  message?: string;
  error?: string;
  outputs?: Readonly<Record<string, unknown>>;
}

/** The types of the members of an answer. */
const members = new Map<string, (value: unknown) => boolean>([
  ['success', (value) => typeof value === 'boolean'],
  ['message', (value) => typeof value === 'string'],
  ['error', (value) => typeof value === 'string'],
  ['outputs', isObject],
]);

/**
 * Reads what an operation returned, strictly, as extensions may be written without a compiler. One that returns `false` or `{ passed: false }` means
 * something, and to treat it as a success would be the worst mistake.
 */
function readAnswer(returned: unknown): ExecuteAnswer {
  if (returned === undefined) return { success: true };
  if (!isObject(returned))
    throw createMisuseError(`returned ${describeKind(returned)}, not an object`);
  for (const [name, value] of Object.entries(returned)) {
    const isValid = members.get(name);
    if (!isValid) throw createMisuseError(`returned an object with \`${name}\``);
    if (value !== undefined && !isValid(value)) {
      throw createMisuseError(`returned ${describeKind(value)} as \`${name}\``);
    }
  }
  const { success = returned.error === undefined, error } = returned;
  if (success === (error !== undefined)) {
    throw createMisuseError(
      `returned success: ${success} ${success ? 'with' : 'without'} an error`,
    );
  }
  return { ...returned, success: success === true };
}

function describeKind(value: unknown): string {
  if (value === null || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}

function createMisuseError(misuse: string): RpcError {
  return new RpcError(
    rpcErrorCodes.internalError,
    `the operation ${misuse}; expected nothing or { success, message, error, outputs }`,
  );
}
