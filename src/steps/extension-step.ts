import { join } from 'node:path';
import { formatDuration } from '../base/duration.js';
import { isObject } from '../base/json.js';
import { RawJson } from '../base/json-text.js';
import { BoundedOutput, collectOutputs } from './bounded-output.js';
import { resolveStrings } from './placeholder-values.js';
import type { ExtensionAnswer, ExtensionContext, StepContext, StepResult } from './step.js';

/** Longest output that is kept whole, in characters. */
const maxOutputLength = 512 * 1024;

/** The only variables that an extension gets from the environment: it has its own `env`. */
const taskVariables = [
  'PROCTOR_TASK_NAME',
  'PROCTOR_WORKDIR',
  'PROCTOR_AGENT_OUTPUT',
  'PROCTOR_CALLS',
];

/** Runs an operation of an extension, which itself decides whether it succeeded. */
export async function runExtensionStep(data: unknown, context: StepContext): Promise<StepResult> {
  const { target, services, signal } = context;
  if (target === undefined) throw new Error('there is no operation to ask for');
  const args = resolveStrings(readArguments(data), (text) => context.resolve(text));
  const account = { args: new RawJson(JSON.stringify(args)) };
  const request = { operation: target.operation, args, context: createExtensionContext(context) };
  try {
    const answer = await services.execute(target.name, request, signal);
    const { log } = answer;
    return {
      ...readOutcome(answer),
      ...boundOutputs(answer.outputs, context),
      account: { ...account, ...(log.length > 0 && { log }) },
    };
  } catch (error) {
    const { message, details } = describeError(error);
    const log = details === undefined ? [] : [{ level: 'error', message: details }];
    if (!signal.aborted) {
      return {
        outcome: 'error',
        message,
        outputs: {},
        account: { ...account, ...(log.length > 0 && { log }) },
      };
    }
    // The timeout is reported elsewhere; this message says how far the extension had come.
    log.unshift({ level: 'error', message });
    return { outcome: 'stopped', isUnjudged: true, outputs: {}, account: { ...account, log } };
  }
}

function readArguments(data: unknown): Record<string, unknown> {
  const args = data ?? {};
  if (!isObject(args)) throw new Error('the arguments of an operation have to be a map');
  return args;
}

function createExtensionContext(context: StepContext): ExtensionContext {
  const { workdir, phase, environment, timeoutMs, agent } = context;
  const env = taskVariables.flatMap((name) => {
    const value = environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    workdir,
    phase,
    env: Object.fromEntries(env),
    timeout: formatDuration(timeoutMs),
    agent,
  };
}

function readOutcome({
  success,
  message,
  error,
}: ExtensionAnswer): Pick<StepResult, 'outcome' | 'message'> {
  if (success) return { outcome: 'passed' };
  return { outcome: 'failed', message: error ?? message ?? 'the extension says that it failed' };
}

function boundOutputs(
  outputs: Readonly<Record<string, string>>,
  { harnessFolder, phase, step }: StepContext,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const long = Object.entries(outputs).filter(([, text]) => text.length > maxOutputLength);
  const bounded = long.map(([name, text], index) => {
    const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-output-${index}`));
    output.add(Buffer.from(text));
    return [name, output] as const;
  });
  const { outputs: cut, ...rest } = collectOutputs(
    Object.fromEntries(bounded.filter(([, output]) => output.isTruncated)),
  );
  return { outputs: { ...outputs, ...cut }, ...rest };
}

/** Reads the message of an error, and its details, such as the end of an extension's log. */
function describeError(error: unknown): { message: string; details?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const details = 'details' in error ? error.details : undefined;
  return { message: error.message, ...(typeof details === 'string' && { details }) };
}
