import { join } from 'node:path';
import { formatDuration } from '../base/duration.js';
import { isObject } from '../base/json.js';
import { RawJson } from '../base/json-text.js';
import { BoundedOutput } from './bounded-output.js';
import { boundedOutputs } from './bounded-outputs.js';
import { resolvedStrings } from './resolved-strings.js';
import type { StepContext, StepResult } from './step.js';
import type { ExtensionAnswer, ExtensionContext } from './step-services.js';

/** In characters. */
const maxOutputLength = 512 * 1024;

/** What else is in the environment is none of an extension's business: it has its own `env`. */
const taskVariables = [
  'PROCTOR_TASK_NAME',
  'PROCTOR_WORKDIR',
  'PROCTOR_AGENT_OUTPUT',
  'PROCTOR_CALLS',
];

/** Has an extension do something, which says itself whether it has succeeded. */
export async function runExtension(data: unknown, context: StepContext): Promise<StepResult> {
  const { target, services, signal } = context;
  if (target === undefined) throw new Error('there is no operation to ask for');
  const args = resolvedStrings(argumentsIn(data), (text) => context.resolve(text));
  const account = { args: new RawJson(JSON.stringify(args)) };
  const request = { operation: target.operation, args, context: toldContext(context) };
  try {
    const answer = await services.execute(target.name, request, signal);
    const { log } = answer;
    return {
      ...judged(answer),
      ...outputsOf(answer.outputs, context),
      account: { ...account, ...(log.length > 0 && { log }) },
    };
  } catch (error) {
    const { message, details } = told(error);
    const log = details === undefined ? [] : [{ level: 'error', message: details }];
    if (!signal.aborted) {
      return {
        outcome: 'error',
        message,
        outputs: {},
        account: { ...account, ...(log.length > 0 && { log }) },
      };
    }
    // That time was up is told in other words; how far it had come is not.
    log.unshift({ level: 'error', message });
    return { outcome: 'stopped', isUnjudged: true, outputs: {}, account: { ...account, log } };
  }
}

function argumentsIn(data: unknown): Record<string, unknown> {
  const args = data ?? {};
  if (!isObject(args)) throw new Error('the arguments of an operation have to be a map');
  return args;
}

function toldContext(context: StepContext): ExtensionContext {
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

function judged({
  success,
  message,
  error,
}: ExtensionAnswer): Pick<StepResult, 'outcome' | 'message'> {
  if (success) return { outcome: 'passed' };
  return { outcome: 'failed', message: error ?? message ?? 'the extension says that it failed' };
}

function outputsOf(
  outputs: Readonly<Record<string, string>>,
  { harnessFolder, phase, step }: StepContext,
): Pick<StepResult, 'outputs' | 'truncated' | 'spilled'> {
  const long = Object.entries(outputs).filter(([, text]) => text.length > maxOutputLength);
  const bounded = long.map(([name, text], index) => {
    const output = new BoundedOutput(join(harnessFolder, `${phase}-${step}-output-${index}`));
    output.add(Buffer.from(text));
    return [name, output] as const;
  });
  const { outputs: cut, ...rest } = boundedOutputs(
    Object.fromEntries(bounded.filter(([, output]) => output.isTruncated)),
  );
  return { outputs: { ...outputs, ...cut }, ...rest };
}

/** Details, such as the end of an extension's log, are there to be read beside the message. */
function told(error: unknown): { message: string; details?: string } {
  if (!(error instanceof Error)) return { message: String(error) };
  const details = 'details' in error ? error.details : undefined;
  return { message: error.message, ...(typeof details === 'string' && { details }) };
}
