import * as z from 'zod/mini';
import {
  addDescription,
  count,
  optional,
  positiveCount,
  text,
  textMap,
} from '../base/schema-fields.js';
import { exampleModels } from '../config/models.js';
import { type EventDefinition, type EventFrom, field } from './event-definition.js';
import { costSourceSchema, judgeUsageSchema, usageSchema } from './usage.js';

/**
 * Describes the member `taskRun` in the reference. It names an attempt, and is called so for the sake of old
 * journals.
 */
export const attemptNameText =
  'Name of the attempt at a task run that it belongs to, such as `pets#1.2`: run 1 of the task `pets`, second attempt.';

/** How a task run, a phase or a step can end. */
export const outcomes = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;
export type Outcome = (typeof outcomes)[number];
export const outcomeSchema = () => z.enum(outcomes);
export const outcomeText = '`passed`, `failed`, `timeout`, `error` or `cancelled`.';

const phases = ['setup', 'agent', 'verify', 'cleanup'] as const;
export type PhaseName = (typeof phases)[number];

/** Where a step or an assertion is written. */
export const sourceSchema = () => z.object({ file: text(), line: z.number() });

/** Steps as far as they decide a verdict. */
const stepDigests = (description: string) =>
  optional(
    z.array(
      z.object({
        type: addDescription(text(), 'Type of the step.', { examples: ['script'] }),
        digest: addDescription(
          text(),
          'Of what it does; of a script in a file, also of the content of the file.',
          { examples: ['b51e4a55c8b3bd3a2c3b0d84ed9a3df1'] },
        ),
      }),
    ),
    description,
  );

/**
 * What judges a task run, and what shapes it: digests of what was meant, so that a comment or the order
 * of keys changes nothing. Two task runs can be compared where theirs are alike. A part that is missing
 * is not known. Neither the agent nor the servers are in it: these are what gets compared.
 */
export const judgingSchema = () =>
  z.object({
    prompt: optional(text(), 'Of the prompt as written, with its placeholders.', {
      examples: ['6a7b5d1c3b8e4f0f9c2d7e5a1b4c8d3e'],
    }),
    assertions: optional(
      textMap(),
      'Of each assertion, by its name, whether it is written in the task or in a task set.',
      { examples: [{ toolsUsed: '0c9f7e1ba2d34c56b7f8e9d0a1b2c3d4' }] },
    ),
    setup: stepDigests('Of each step of setup.'),
    verify: stepDigests('Of each step that verifies.'),
    judge: optional(
      z.nullable(
        z.object({
          model: optional(text(), 'Its model, if it is named.', {
            examples: [exampleModels.small],
          }),
          digest: addDescription(
            text(),
            'Of its type, model and settings; not of its address or key.',
            {
              examples: ['f3d1c5a79b0e4d28a6c4e2b0d8f6a4c2'],
            },
          ),
        }),
      ),
      'Of the LLM judge. Null: no step asks one.',
    ),
    timeoutMs: optional(z.nullable(z.number()), 'The time limit of the task. Null: none.', {
      examples: [300_000],
    }),
  });
export type Judging = z.infer<ReturnType<typeof judgingSchema>>;
export type StepDigest = NonNullable<Judging['verify']>[number];
export type JudgeDigest = NonNullable<Judging['judge']>;

/** Says which task run it is, whatever attempt. */
const taskRunRefMembers = () => ({
  task: field(text(), 'Name of the task.', 'lose-event'),
  variant: field(z.optional(text()), 'The variant of a matrix that does it.', 'lose-event'),
  run: field(positiveCount(), 'Which of its runs, from 1.', 'lose-event'),
});

export const taskRunStarted = {
  type: 'task-run-started',
  description: 'An attempt at a task run begins.',
  shape: () => ({
    taskRun: field(
      text(),
      'Name of the attempt, in all events that belong to it: `pets#1`, then `pets#1.2`.',
      'lose-event',
    ),
    ...taskRunRefMembers(),
    path: field(text(), "The task's file, relative to the eval's folder.", { fallback: '' }),
    runs: field(positiveCount(), 'How many there are; with `--runs auto`, at least.', {
      fallback: 1,
    }),
    attempt: field(positiveCount(), 'From 1; a later attempt takes the place of those before.', {
      fallback: 1,
    }),
    worker: field(
      z.optional(text()),
      'With `check --queue`: the worker that does it.',
      'leave-out-member',
    ),
    difficulty: field(z.optional(text()), '`easy`, `medium` or `hard`.', 'leave-out-member'),
    labels: field(textMap(), "The task's labels.", 'lose-event'),
    workdir: field(text(), 'Working directory of the agent.', 'lose-event'),
    random: field(
      z.object({ id: text(), port: z.number() }),
      'What `{random.id}` and `{random.port}` stand for.',
      'lose-event',
    ),
    timeoutMs: field(z.optional(z.number()), 'Limit of setup, agent and verification together.'),
    cleanupTimeoutMs: field(z.optional(z.number()), 'Limit of cleanup.'),
    judging: field(
      z.optional(judgingSchema()),
      'What judges it, as digests: see [results](results.md). Older journals do not have it.',
    ),
  }),
} as const satisfies EventDefinition;
export type TaskRunStarted = EventFrom<typeof taskRunStarted>;

const phaseMembers = () => ({
  taskRun: field(text(), attemptNameText, 'lose-event'),
  phase: field(z.enum(phases), '`setup`, `agent`, `verify` or `cleanup`.', 'lose-event'),
});

export const phaseStarted = {
  type: 'phase-started',
  description: 'A phase of a task run begins.',
  shape: () => ({
    ...phaseMembers(),
    prompt: field(z.optional(text()), 'With `agent`: what it is asked to do.', 'leave-out-member'),
  }),
} as const satisfies EventDefinition;
export type PhaseStarted = EventFrom<typeof phaseStarted>;

export const phaseEnded = {
  type: 'phase-ended',
  description: 'A phase of a task run has ended.',
  shape: () => ({
    ...phaseMembers(),
    outcome: field(outcomeSchema(), outcomeText),
    durationMs: field(z.number(), 'How long it took.'),
    message: field(z.optional(text()), 'Why it did not pass.'),
    details: field(
      z.optional(text()),
      "The end of the agent's log, and what else helps to understand it.",
    ),
  }),
} as const satisfies EventDefinition;
export type PhaseEnded = EventFrom<typeof phaseEnded>;

const waitMembers = () => ({
  taskRun: field(text(), attemptNameText),
  for: field(
    z.enum(['agent', 'model']),
    '`agent`: until its agent may work; `model`: until a model may be asked.',
  ),
  model: field(z.optional(text()), 'With `model`: which, as `provider:id`.'),
});

export const waitStarted = {
  type: 'wait-started',
  description:
    'A task run has waited for a second because of [limits of the check](../limits.md), and still does. This time does not count against the limits of its task and its steps.',
  shape: () => waitMembers(),
} as const satisfies EventDefinition;
export type WaitStarted = EventFrom<typeof waitStarted>;

export const waitEnded = {
  type: 'wait-ended',
  description: 'The task run continues.',
  shape: () => ({ ...waitMembers(), durationMs: field(z.number(), 'How long it waited.') }),
} as const satisfies EventDefinition;

export const assertionChecked = {
  type: 'assertion-checked',
  description: 'The verdict of one assertion.',
  shape: () => ({
    taskRun: field(text(), attemptNameText, 'lose-event'),
    name: field(text(), 'Key of the assertion.', 'lose-event'),
    passed: field(z.boolean(), 'Whether it held.', 'lose-event'),
    reason: field(text(), 'What was expected, and what happened.'),
    details: field(z.optional(z.array(text())), 'Details, item by item.'),
    source: field(sourceSchema(), 'File and line of the assertion.'),
    calls: field(z.array(z.number()), 'Numbers (`call`) of the calls that show it.'),
  }),
} as const satisfies EventDefinition;
export type AssertionChecked = EventFrom<typeof assertionChecked>;

/**
 * Why a task run did not pass. Codes are stable: people filter by them. The reference pages are made
 * from this table.
 */
export const failureCategories = {
  'verification-failed': 'A step of `verify` did not pass.',
  'assertion-failed': 'Verification passed, or there is none, and an assertion did not hold.',
  'setup-failed': 'A step of `setup` failed, so the agent did not run.',
  'step-error': 'A step of `verify` could not be judged, such as a program that was not found.',
  'judge-error': 'The LLM judge gave no verdict.',
  'agent-not-started': 'The agent could not be started, or not be given the prompt.',
  'agent-failed': 'The agent ended with an error, or without an answer.',
  'server-failed': 'An MCP server did not start, did not answer in time, or was unreachable.',
  'server-exited': 'An MCP server ended while it was needed.',
  'server-unauthorized': 'An MCP server answered with 401 or 403.',
  'worker-lost': 'Every worker that was given it was lost: killed, cut off, or out of reach.',
  timeout: "The task's time limit was reached.",
  cancelled: 'The run was interrupted.',
  'internal-error': 'A bug in Proctor.',
  unknown:
    'The record names no reason that this version knows, cannot be read, contradicts itself, or is redacted where the reason would be.',
} as const;

export type FailureCategory = keyof typeof failureCategories;

/** Why a task run did not pass, in a sentence, and the event that shows it. */
export const failureSchema = () =>
  z.object({
    category: addDescription(
      z.enum(Object.keys(failureCategories) as FailureCategory[]),
      'Why it did not pass.',
    ),
    message: addDescription(text(), 'One sentence.', { examples: ['step 1 of verify failed'] }),
    evidence: addDescription(positiveCount(), '`seq` of the event that shows it.', {
      examples: [42],
    }),
  });
export type Failure = z.infer<ReturnType<typeof failureSchema>>;

/** No calls, by kind. */
export const noCalls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };

export const taskRunEnded = {
  type: 'task-run-ended',
  description:
    'An attempt at a task run has ended, cleanup included. Everything else that belongs to it stands before.',
  shape: () => ({
    taskRun: field(text(), attemptNameText, 'lose-event'),
    ...taskRunRefMembers(),
    outcome: field(outcomeSchema(), outcomeText, 'lose-event'),
    failure: field(z.optional(failureSchema()), 'Of every outcome but `passed`.'),
    verified: field(
      z.nullable(z.boolean()),
      'Whether verification passed; null: nothing was verified.',
      'lose-event',
    ),
    assertionsHeld: field(
      z.nullable(z.boolean()),
      'Whether every assertion held; null: none was checked.',
      'lose-event',
    ),
    startedAt: field(text(), 'Wall time.'),
    durationMs: field(z.number(), 'How long it took, cleanup included.'),
    waitedMs: field(
      z.optional(z.number()),
      'The part of it spent waiting because of [limits of the check](../limits.md). It does not count against the limits of the task.',
    ),
    output: field(text(), "The agent's answer.", { fallback: '' }),
    usage: field(z.optional(usageSchema()), 'Tokens of the model, as the agent reports them.'),
    cost: field(
      z.optional(z.number()),
      'In US dollars: as the agent reports it, or by its tokens and the price of its model.',
    ),
    costSource: costSourceSchema(),
    judge: field(z.optional(judgeUsageSchema()), 'What its judgements took, as far as is known.', {
      as: z.optional(z.object({})),
    }),
    calls: field(
      z.object({
        tool: count(),
        resource: count(),
        prompt: count(),
        errors: count(),
        tokens: count(),
      }),
      'How many tools, resources and prompts were called, errors among them, and their tokens (cl100k_base).',
      { fallback: noCalls },
    ),
    permissionDenials: field(
      z.optional(z.array(z.object({ tool: text(), reason: z.optional(text()) }))),
      'Tools that the agent itself did not let through: `tool`, and the `reason` if it is known.',
    ),
    cleanupFailed: field(z.optional(z.literal(true)), 'A step of cleanup failed.'),
    workdir: field(
      z.optional(text()),
      'The working directory, if it was kept.',
      'leave-out-member',
    ),
  }),
} as const satisfies EventDefinition;
export type TaskRunEnded = EventFrom<typeof taskRunEnded>;

/** Names an attempt as events have it in their member `taskRun`: `pets#1`, then `pets#1.2`. */
export function nameAttempt({ task, variant, run }: TaskRunRef, attempt: number): string {
  return `${formatTaskName({ task, variant })}#${run}${attempt > 1 ? `.${attempt}` : ''}`;
}

/** Which attempt it is, from 1, by the name that `nameAttempt` gave it. */
export function readAttemptNumber(name: string): number {
  const [, digits = '1'] = /#\d+\.(\d{1,9})$/.exec(name) ?? [];
  return Number(digits);
}

/** Makes a key of a task run, the same for all attempts. Variants of a matrix do the same runs of a task. */
export function formatTaskRunKey({ task, run, variant }: TaskRunRef): string {
  return JSON.stringify(variant == null ? [task, run] : [task, run, variant]);
}

/** Gives the task run that a key names. */
export function parseTaskRunKey(key: string): TaskRunRef {
  const [task, run, variant] = JSON.parse(key) as [string, number, string?];
  return { task, run, variant };
}

/** Says which task run of a run is meant, whatever attempt. */
export interface TaskRunRef {
  task: string;
  run: number;
  /** Undefined or null: there is no matrix. */
  variant?: string | null | undefined;
}

/** Formats the name of a task, with its variant if there is a matrix: `pets [claude]`. */
export function formatTaskName({ task, variant }: Pick<TaskRunRef, 'task' | 'variant'>): string {
  return variant == null ? task : `${task} [${variant}]`;
}
