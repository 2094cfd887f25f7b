type Write = (message: string, data?: unknown) => void;

/** Goes to the record of the step. */
export interface ExtensionLog {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
}

/** Where in a task run an operation is called. */
export interface OperationContext {
  /** The agent's working directory. */
  workdir: string;
  phase: 'setup' | 'verify' | 'cleanup';
  env: Readonly<Record<string, string>>;
  /** Time limit of the step, a duration as Go writes it: `30s`. */
  timeout?: string;
  /** What the agent was asked and answered, as far as it has come to that. */
  agent: { prompt?: string; output?: string };
}

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
