import type { ExtensionLog } from './extension-log.js';
import type { OperationContext } from './operation-context.js';
import type { OperationResult } from './operation-result.js';

/** What an operation is given besides its arguments. */
export interface OperationCall<State> {
  /** What `setup` returned. */
  state: State;
  context: OperationContext;
  log: ExtensionLog;
  /** Aborted when the step's time is over, and when the extension is to end. */
  signal: AbortSignal;
}

export interface Operation<State> {
  description?: string;
  /** JSON Schema of the arguments. Without one, Proctor hands over whatever stands in the step. */
  params?: Readonly<Record<string, unknown>>;
  /** `args` may be given the type that `params` describes. What it throws fails the step. */
  run(args: unknown, call: OperationCall<State>): OperationResult | Promise<OperationResult>;
}

export interface Extension<State> {
  name: string;
  version: string;
  description?: string;
  /**
   * Called once, with `config` of the eval, which may be given a type. What it throws keeps the
   * extension from being used.
   */
  setup?(config: unknown, call: { log: ExtensionLog; signal: AbortSignal }): State | Promise<State>;
  operations: Readonly<Record<string, Operation<State>>>;
  /** Called once at the end, if `setup` succeeded. */
  teardown?(state: State): void | Promise<void>;
}

/** Returns what it is given: for the types, which follow from what `setup` returns. */
export function defineExtension<State = undefined>(extension: Extension<State>): Extension<State> {
  return extension;
}
