import { isObject, type JsonObject } from '../base/json.js';
import type { Extension, Operation } from './extension.js';
import type { ExtensionLog } from './extension-log.js';
import { readContext } from './operation-context.js';
import { answerOf, type ExecuteAnswer } from './operation-result.js';
import { messageOf, RpcError, rpcErrorCodes } from './rpc-error.js';
import { TimeLimit } from './time-limit.js';

interface Surroundings {
  state: unknown;
  log: ExtensionLog;
  /** Aborted when the extension is to end. */
  ending: AbortSignal;
}

/** Throws RpcError for what says nothing about the task: a bad request, or a bad operation. */
export async function executeOperation(
  { operations }: Extension<unknown>,
  { operation: name, args = {}, context: given }: JsonObject,
  { state, log, ending }: Surroundings,
): Promise<ExecuteAnswer> {
  const operation = operationOf(operations, name);
  if (!isObject(args)) throw new RpcError(rpcErrorCodes.invalidParams, '`args` is no object');
  const context = readContext(given);
  const limit = new TimeLimit(context.timeout, ending);
  const { signal } = limit;
  let returned: unknown;
  try {
    returned = await operation.run(args, { state, context, log, signal });
  } catch (error) {
    // Called off, it has not found out anything about the task.
    if (signal.aborted) throw new RpcError(rpcErrorCodes.internalError, messageOf(signal.reason));
    return { success: false, error: messageOf(error) };
  } finally {
    limit.release();
  }
  return answerOf(returned);
}

function operationOf(
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
