import { isObject, type JsonObject } from '../base/json.js';
import { RpcError, rpcErrorCodes } from './rpc-error.js';

const phases = ['setup', 'verify', 'cleanup'] as const;

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

/** Throws RpcError. */
export function readContext(context: unknown): OperationContext {
  if (!isObject(context)) throw invalid('context');
  const { workdir, timeout } = context;
  const phase = phases.find((each) => each === context.phase);
  if (typeof workdir !== 'string') throw invalid('context.workdir');
  if (phase === undefined) throw invalid('context.phase');
  const { prompt, output } = textsOf(context.agent);
  return {
    workdir,
    phase,
    env: textsOf(context.env),
    ...(typeof timeout === 'string' && { timeout }),
    agent: { ...(prompt !== undefined && { prompt }), ...(output !== undefined && { output }) },
  };
}

function textsOf(value: unknown): Record<string, string> {
  const members: JsonObject = isObject(value) ? value : {};
  const isText = (member: [string, unknown]): member is [string, string] =>
    typeof member[1] === 'string';
  return Object.fromEntries(Object.entries(members).filter(isText));
}

function invalid(name: string): RpcError {
  return new RpcError(rpcErrorCodes.invalidParams, `\`${name}\` is missing or invalid`);
}
