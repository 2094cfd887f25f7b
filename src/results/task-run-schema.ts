import * as z from 'zod/mini';
import { exampleModels } from '../config/known-models.js';
import {
  anything,
  count,
  described,
  optional,
  positiveCount,
  text,
  textMap,
} from '../config/schemas/fields.js';
import { maxDurationMs } from '../journal/event-schemas.js';
import { type FailureCategory, failureCategories } from '../journal/task-run-events.js';
import type { SourceLine } from '../plan/origin.js';
import { callSchema } from './call-schema.js';
import { stepAccountShape } from './step-account-schema.js';
import {
  callCountsSchema,
  costSchema,
  costSourceSchema,
  judgeUsageSchema,
  usageSchema,
} from './usage-schema.js';

export const outcomes = ['passed', 'failed', 'timeout', 'error', 'cancelled'] as const;
export const categories = Object.keys(failureCategories) as FailureCategory[];

/** In milliseconds. */
export const milliseconds = () => z.number().check(z.minimum(0), z.maximum(maxDurationMs));

const duration = () =>
  described(z.nullable(milliseconds()), 'How long it took. Null: other results did not tell.', {
    examples: [1520],
  });
const place = () =>
  z.object({
    file: described(text(), 'From the folder of the Eval file.', { examples: ['eval.yaml'] }),
    line: described(positiveCount(), 'From 1.', { examples: [20] }),
  });

export const assertionSchema = z.object({
  name: described(text(), 'Key of the assertion.', { examples: ['toolsUsed'] }),
  passed: described(z.boolean(), 'Whether it held.'),
  reason: described(text(), 'What was expected, and what happened.', {
    examples: ['kubernetes.pods_list was called'],
  }),
  details: described(z.array(text()), 'More of it, item by item.', { examples: [[]] }),
  at: described(z.nullable(place()), 'Where it is written. Null: other results did not tell.'),
  calls: described(
    z.array(count()),
    "Numbers (`call`) of the calls that show it; 0 stands for tools of the agent's own.",
    { examples: [[1, 3]] },
  ),
});

export const warningSchema = z.object({
  seq: described(positiveCount(), 'Event in the journal.', { examples: [17] }),
  code: described(text(), 'Kind of warning; see the reference of the journal.', {
    examples: ['server-exited'],
  }),
  message: described(text(), 'One sentence.', { examples: ['the server ended with code 1'] }),
  server: optional(text(), 'The server it is about.', { examples: ['kubernetes'] }),
  details: optional(text(), 'Such as the end of a log.', { examples: ['panic: no such host'] }),
});

/** What every phase has. Null in the results: it did not come to it. */
const ofPhase = () => ({
  outcome: described(z.nullable(z.enum(outcomes)), 'How it ended. Null: it never did.', {
    examples: ['passed'],
  }),
  durationMs: described(z.nullable(milliseconds()), 'How long it took.', { examples: [1520] }),
  message: optional(text(), 'Why it did not pass.', { examples: ['step 1 failed'] }),
  details: optional(text(), 'What helps to understand it, such as the end of a log.', {
    examples: ['panic: no such host'],
  }),
});

const stepSchema = () =>
  z.object({
    seq: described(positiveCount(), 'Event in the journal.', { examples: [9] }),
    step: described(positiveCount(), 'Its place in the phase.', { examples: [1] }),
    kind: described(text(), 'Type of the step.', { examples: ['script'] }),
    id: optional(text(), 'Id of the step.', { examples: ['create'] }),
    at: described(z.nullable(place()), 'Where it is written. Null: other results did not tell.'),
    passed: described(z.boolean(), 'Whether it passed.'),
    outcome: described(z.enum(outcomes), 'How it ended.'),
    message: optional(text(), 'Why it did not pass.', { examples: ['exit code 1'] }),
    outputs: described(textMap(), 'What later steps can refer to.', {
      examples: [{ stdout: 'ok', exitCode: '0' }],
    }),
    truncated: optional(z.array(text()), 'Outputs that were cut.', { examples: [['stdout']] }),
    files: optional(
      textMap(),
      "Of outputs that were cut: the file with the whole, from the journal's folder.",
      { examples: [{ stdout: 'proctor-kubernetes-out.files/create-pod-1-verify-1-stdout.txt' }] },
    ),
    durationMs: duration(),
    ...stepAccountShape(),
  });

const agentStepSchema = z.object({
  seq: described(positiveCount(), 'Event in the journal.', { examples: [12] }),
  kind: described(
    z.enum(['message', 'thinking', 'tool-call', 'tool-result', 'log']),
    'What the agent did.',
  ),
  text: optional(text(), 'What it said; of a tool result the beginning.', {
    examples: ['I will list the pods.'],
  }),
  tool: optional(text(), "Of a tool call: the agent's own name of the tool.", {
    examples: ['mcp__kubernetes__pods_list'],
  }),
  id: optional(text(), 'Ties a tool result to its call.', { examples: ['toolu_1'] }),
  args: optional(anything(), 'Of a tool call: its arguments.', {
    examples: [{ namespace: 'default' }],
  }),
  isError: optional(z.boolean(), 'Of a tool result: whether it is an error.'),
});

const stepPhase = (description: string) =>
  described(
    z.nullable(
      z.object({
        ...ofPhase(),
        steps: described(z.array(stepSchema()), 'The steps that ran.'),
      }),
    ),
    description,
  );

const digest = () => text();

const stepDigests = (description: string) =>
  optional(
    z.array(
      z.object({
        type: described(text(), 'Type of the step.', { examples: ['script'] }),
        digest: described(
          digest(),
          'Of what it does; of a script in a file, also of the content of the file.',
          { examples: ['b51e4a55c8b3bd3a2c3b0d84ed9a3df1'] },
        ),
      }),
    ),
    description,
  );

const judgingSchema = () =>
  z.object({
    prompt: optional(digest(), 'Of the prompt, with its placeholders as they are written.', {
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
          digest: described(
            digest(),
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

export const taskRunSchema = z.object({
  id: described(text(), 'Names the task run in the journal (`taskRun`).', {
    examples: ['create-pod-1'],
  }),
  task: described(text(), 'Name of the task.', { examples: ['create-pod'] }),
  path: described(text(), "The task's file, from the folder of the Eval file.", {
    examples: ['tasks/create-pod.yaml'],
  }),
  difficulty: described(z.nullable(text()), "The task's difficulty.", { examples: ['easy'] }),
  labels: described(textMap(), "The task's labels.", { examples: [{ area: 'pods' }] }),
  variant: described(
    z.nullable(text()),
    'Who did it, of those in `variants`. Null: there is no matrix.',
    { examples: ['claude-code + mcp-next'] },
  ),
  run: described(positiveCount(), 'Which run of the task, from 1.', { examples: [1] }),
  runs: described(positiveCount(), 'How many runs the task has.', { examples: [3] }),
  from: optional(
    z.object({
      id: described(text(), 'Of the evaluation.', { examples: ['5f0c2a9e'] }),
      run: described(positiveCount(), 'Which run of the task it was there.', { examples: [1] }),
      runs: described(positiveCount(), 'How many runs the task had there.', { examples: [3] }),
    }),
    'Of merged results: the evaluation that it is out of.',
  ),
  attempt: described(
    positiveCount(),
    'From 1; more than 1 after `--resume`, or when a worker was lost.',
    { examples: [1] },
  ),
  worker: optional(text(), 'The worker that did it, with `check --queue`.', {
    examples: ['runner-1'],
  }),
  judging: optional(
    judgingSchema(),
    'What judges it, as digests: task runs can be compared where these are alike. A comment or the order of keys changes none of them; a part that is missing is not known.',
  ),
  prompt: described(
    z.nullable(text()),
    'What the agent was asked to do. Null: it did not come to it.',
    { examples: ['Create a pod named web'] },
  ),
  outcome: described(z.enum(outcomes), 'The verdict.'),
  failure: described(
    z.nullable(
      z.object({
        category: described(z.enum(categories), 'Why it did not pass.'),
        message: described(text(), 'One sentence.', { examples: ['step 1 of verify failed'] }),
        evidence: described(positiveCount(), '`seq` of the event that shows it.', {
          examples: [42],
        }),
      }),
    ),
    'Of every outcome but `passed`.',
  ),
  verified: described(
    z.nullable(z.boolean()),
    'Whether verification passed. Null: nothing was verified.',
    { examples: [true] },
  ),
  assertionsHeld: described(
    z.nullable(z.boolean()),
    'Whether every assertion held. Null: none was checked.',
    { examples: [true] },
  ),
  startedAt: described(
    z.nullable(text()),
    'Wall time, ISO 8601. Null: other results did not tell.',
    { examples: ['2026-01-31T12:00:00.000Z'] },
  ),
  durationMs: described(
    z.nullable(milliseconds()),
    'How long it took, cleanup included. Null: other results did not tell.',
    { examples: [20_500] },
  ),
  waitedMs: optional(
    count(),
    'Part of it: waiting because of limits of the check, which counts against no limit of the task.',
    { examples: [4_200] },
  ),
  output: described(text(), "The agent's answer.", { examples: ['The pod is running.'] }),
  phases: described(
    z.object({
      setup: stepPhase('Null: it did not come to it.'),
      agent: described(
        z.nullable(
          z.object({
            ...ofPhase(),
            steps: described(z.array(agentStepSchema), 'What the agent tells of its work.'),
          }),
        ),
        'Null: the agent did not run.',
      ),
      verify: stepPhase('Null: it did not come to it.'),
      cleanup: stepPhase('Null: there is none.'),
    }),
    'What happened, phase by phase.',
  ),
  assertions: described(
    z.array(assertionSchema),
    'The assertions: one entry for each key and place it is written at.',
  ),
  calls: described(z.array(callSchema), 'What the agent called, in order of arrival.'),
  callCounts: described(callCountsSchema(), 'The calls, counted.'),
  usage: described(z.nullable(usageSchema()), 'Tokens of the model, if the agent reports them.'),
  cost: described(
    z.nullable(costSchema()),
    'In US dollars, if the agent reports it or the price of its model is known.',
    { examples: [0.03] },
  ),
  costSource: costSourceSchema(),
  estimate: optional(
    z.object({
      tokens: described(count(), 'Of all that went through the model.', { examples: [5200] }),
      schemaTokens: described(count(), 'Of what the servers offer.', { examples: [1200] }),
    }),
    'Tokens by the estimate of mcpchecker, where these are its results.',
  ),
  judge: described(
    z.nullable(judgeUsageSchema()),
    'What its judgements took. Null: nothing was judged.',
  ),
  permissionDenials: described(
    z.array(
      z.object({
        tool: described(text(), "The agent's own name of the tool.", { examples: ['Bash'] }),
        reason: optional(text(), 'Why, as far as it is known.', {
          examples: ['not allowed by alwaysAllow of files in mcp-config.yaml'],
        }),
      }),
    ),
    'Tools that the agent itself did not let through.',
  ),
  cleanupFailed: described(z.boolean(), 'A step of cleanup failed; the verdict stands.'),
  workdir: optional(text(), 'The working directory, if it was kept.', {
    examples: ['/tmp/5f0c1d8a2b7e/3c9a4e1f0b2d/work'],
  }),
  warnings: described(z.array(warningSchema), 'What deserves a look.'),
  moreWarnings: optional(count(), 'Warnings beyond these; the journal has them.', {
    examples: [12],
  }),
  incomplete: optional(
    z.literal(true),
    'A part of what is known of it was lost with a damaged line of the journal. The verdict stands; `recheck` does not judge it.',
  ),
});

/** One that a journal has begun to tell, and that has no verdict yet. */
export const openTaskRunSchema = z.extend(taskRunSchema, { outcome: z.null() });

/** A task run as results have it. */
export type TaskRunResult = z.infer<typeof taskRunSchema>;
/** An assertion with its verdict, as results and `recheck` have it. */
export type AssertionResult = z.infer<typeof assertionSchema> & { at: SourceLine };
