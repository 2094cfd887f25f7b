import * as z from 'zod/mini';
import {
  addDescription,
  anything,
  count,
  optional,
  positiveCount,
  text,
  textMap,
} from '../../base/schema-fields.js';
import { durationSchema } from '../../journal/run-events.js';
import { agentStepKinds, stepAccountShape } from '../../journal/step-events.js';
import { failureSchema, judgingSchema, outcomes } from '../../journal/task-run-events.js';
import { costSchema, costSourceSchema, usageSchema } from '../../journal/usage.js';
import type { SourceLine } from '../../plan/origin.js';
import { callCountsSchema, judgeUsageSchema } from './usage-schema.js';

/** A call of the agent: of a tool, a resource or a prompt. */
const callSchema = z.object({
  seq: addDescription(positiveCount(), 'Event in the journal.', { examples: [23] }),
  call: addDescription(
    positiveCount(),
    "Its number: the agent's calls in a task run count from 1, in the order in which they arrived.",
    { examples: [1] },
  ),
  kind: addDescription(z.enum(['tool', 'resource', 'prompt']), 'What was called.'),
  server: addDescription(text(), 'Name of the server.', { examples: ['kubernetes'] }),
  name: addDescription(text(), 'The tool or prompt; of a resource its URI.', {
    examples: ['pods_list'],
  }),
  args: addDescription(anything(), 'Null: none were given.', {
    examples: [{ namespace: 'default' }],
  }),
  result: addDescription(anything(), 'As the server sent it. Null: there is none.', {
    examples: [{ content: [{ type: 'text', text: 'web  Running' }] }],
  }),
  error: addDescription(anything(), 'The JSON-RPC error. Null: there is none.', {
    examples: [null],
  }),
  isError: addDescription(
    z.boolean(),
    'A tool said so in its result, there is an error, or the answer is malformed.',
  ),
  malformed: optional(text(), 'What is wrong with the shape of the answer.', {
    examples: ['content is missing'],
  }),
  suspectedError: optional(
    text(),
    'The line with which the result looks like an error, although it is not marked as one.',
    { examples: ['Database error: no such table: product'] },
  ),
  blocked: addDescription(z.boolean(), 'The MCP config does not allow it: it reached no server.'),
  blockedBy: optional(text(), 'The setting that blocked it.', {
    examples: ['alwaysAllow of kubernetes in mcp-config.yaml'],
  }),
  cancelled: optional(z.literal(true), 'The agent called it off.'),
  unfinished: optional(z.literal(true), 'It had no answer when the task run ended.'),
  retries: optional(count(), 'How often the agent answered `input_required`.', { examples: [1] }),
  startedAt: addDescription(
    z.nullable(text()),
    'Wall time, ISO 8601. Null: other results do not say.',
    { examples: ['2026-01-31T12:00:01.000Z'] },
  ),
  durationMs: addDescription(
    z.nullable(durationSchema()),
    'How long it took. Null: other results do not say.',
    { examples: [12.5] },
  ),
  tokens: addDescription(
    z.nullable(
      z.object({
        args: addDescription(count(), 'Of the arguments.', { examples: [12] }),
        result: addDescription(count(), 'Of the result.', { examples: [240] }),
      }),
    ),
    'Tokens (cl100k_base). Null: they were not counted.',
  ),
});

const duration = () =>
  addDescription(
    z.nullable(durationSchema()),
    'How long it took. Null: other results do not say.',
    {
      examples: [1520],
    },
  );
const place = () =>
  z.object({
    file: addDescription(text(), 'From the folder of the Eval file.', { examples: ['eval.yaml'] }),
    line: addDescription(positiveCount(), 'From 1.', { examples: [20] }),
  });

export const assertionSchema = z.object({
  name: addDescription(text(), 'Key of the assertion.', { examples: ['toolsUsed'] }),
  passed: addDescription(z.boolean(), 'Whether it held.'),
  reason: addDescription(text(), 'What was expected, and what happened.', {
    examples: ['kubernetes.pods_list was called'],
  }),
  details: addDescription(z.array(text()), 'Details, item by item.', { examples: [[]] }),
  at: addDescription(z.nullable(place()), 'Where it is written. Null: other results do not say.'),
  calls: addDescription(
    z.array(count()),
    "Numbers (`call`) of the calls that show it; 0 stands for tools of the agent's own.",
    { examples: [[1, 3]] },
  ),
});

export const warningSchema = z.object({
  seq: addDescription(positiveCount(), 'Event in the journal.', { examples: [17] }),
  code: addDescription(text(), 'Kind of warning; see the reference of the journal.', {
    examples: ['server-exited'],
  }),
  message: addDescription(text(), 'One sentence.', { examples: ['the server ended with code 1'] }),
  server: optional(text(), 'The server it is about.', { examples: ['kubernetes'] }),
  details: optional(text(), 'Such as the end of a log.', { examples: ['panic: no such host'] }),
});

/** Members of every phase. In results, a phase that was not reached is null. */
const phaseMembers = () => ({
  outcome: addDescription(z.nullable(z.enum(outcomes)), 'How it ended. Null: it never did.', {
    examples: ['passed'],
  }),
  durationMs: addDescription(z.nullable(durationSchema()), 'How long it took.', {
    examples: [1520],
  }),
  message: optional(text(), 'Why it did not pass.', { examples: ['step 1 failed'] }),
  details: optional(text(), 'What helps to understand it, such as the end of a log.', {
    examples: ['panic: no such host'],
  }),
});

const stepSchema = () =>
  z.object({
    seq: addDescription(positiveCount(), 'Event in the journal.', { examples: [9] }),
    step: addDescription(positiveCount(), 'Its place in the phase.', { examples: [1] }),
    kind: addDescription(text(), 'Type of the step.', { examples: ['script'] }),
    id: optional(text(), 'Id of the step.', { examples: ['create'] }),
    at: addDescription(z.nullable(place()), 'Where it is written. Null: other results do not say.'),
    passed: addDescription(z.boolean(), 'Whether it passed.'),
    outcome: addDescription(z.enum(outcomes), 'How it ended.'),
    message: optional(text(), 'Why it did not pass.', { examples: ['exit code 1'] }),
    outputs: addDescription(textMap(), 'What later steps can refer to.', {
      examples: [{ stdout: 'ok', exitCode: '0' }],
    }),
    truncated: optional(z.array(text()), 'Outputs that were cut.', { examples: [['stdout']] }),
    files: optional(
      textMap(),
      "Files with the full text of truncated outputs, from the journal's folder.",
      { examples: [{ stdout: 'proctor-kubernetes-out.files/create-pod-1-verify-1-stdout.txt' }] },
    ),
    durationMs: duration(),
    ...stepAccountShape(anything()),
  });

const agentStepSchema = z.object({
  seq: addDescription(positiveCount(), 'Event in the journal.', { examples: [12] }),
  kind: addDescription(z.enum(agentStepKinds), 'What the agent did.'),
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
  addDescription(
    z.nullable(
      z.object({
        ...phaseMembers(),
        steps: addDescription(z.array(stepSchema()), 'The steps that ran.'),
      }),
    ),
    description,
  );

export const taskRunSchema = z.object({
  id: addDescription(text(), 'Names the task run in the journal (`taskRun`).', {
    examples: ['create-pod-1'],
  }),
  task: addDescription(text(), 'Name of the task.', { examples: ['create-pod'] }),
  path: addDescription(text(), "The task's file, from the folder of the Eval file.", {
    examples: ['tasks/create-pod.yaml'],
  }),
  difficulty: addDescription(z.nullable(text()), "The task's difficulty.", { examples: ['easy'] }),
  labels: addDescription(textMap(), "The task's labels.", { examples: [{ area: 'pods' }] }),
  variant: addDescription(
    z.nullable(text()),
    'Who did it, of those in `variants`. Null: there is no matrix.',
    { examples: ['claude-code + mcp-next'] },
  ),
  run: addDescription(positiveCount(), 'Which run of the task, from 1.', { examples: [1] }),
  runs: addDescription(positiveCount(), 'How many runs the task has.', { examples: [3] }),
  from: optional(
    z.object({
      id: addDescription(text(), 'Of the evaluation.', { examples: ['5f0c2a9e'] }),
      run: addDescription(positiveCount(), 'Which run of the task it was there.', {
        examples: [1],
      }),
      runs: addDescription(positiveCount(), 'How many runs the task had there.', { examples: [3] }),
    }),
    'Of merged results: the evaluation that it is out of.',
  ),
  attempt: addDescription(
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
  prompt: addDescription(z.nullable(text()), 'What the agent was asked to do. Null: not reached.', {
    examples: ['Create a pod named web'],
  }),
  outcome: addDescription(z.enum(outcomes), 'The verdict.'),
  failure: addDescription(z.nullable(failureSchema()), 'Of every outcome but `passed`.'),
  verified: addDescription(
    z.nullable(z.boolean()),
    'Whether verification passed. Null: nothing was verified.',
    { examples: [true] },
  ),
  assertionsHeld: addDescription(
    z.nullable(z.boolean()),
    'Whether every assertion held. Null: none was checked.',
    { examples: [true] },
  ),
  startedAt: addDescription(
    z.nullable(text()),
    'Wall time, ISO 8601. Null: other results do not say.',
    { examples: ['2026-01-31T12:00:00.000Z'] },
  ),
  durationMs: addDescription(
    z.nullable(durationSchema()),
    'How long it took, cleanup included. Null: other results do not say.',
    { examples: [20_500] },
  ),
  waitedMs: optional(
    count(),
    'The part of it spent waiting because of limits of the check. It does not count against the limits of the task.',
    { examples: [4_200] },
  ),
  output: addDescription(text(), "The agent's answer.", { examples: ['The pod is running.'] }),
  phases: addDescription(
    z.object({
      setup: stepPhase('Null: not reached.'),
      agent: addDescription(
        z.nullable(
          z.object({
            ...phaseMembers(),
            steps: addDescription(z.array(agentStepSchema), 'What the agent reports of its work.'),
          }),
        ),
        'Null: the agent did not run.',
      ),
      verify: stepPhase('Null: not reached.'),
      cleanup: stepPhase('Null: there is none.'),
    }),
    'What happened, phase by phase.',
  ),
  assertions: addDescription(
    z.array(assertionSchema),
    'The assertions: one entry for each key and place it is written at.',
  ),
  calls: addDescription(z.array(callSchema), 'What the agent called, in order of arrival.'),
  callCounts: addDescription(callCountsSchema(), 'The calls, counted.'),
  usage: addDescription(
    z.nullable(usageSchema()),
    'Tokens of the model, if the agent reports them.',
  ),
  cost: addDescription(
    z.nullable(costSchema()),
    'In US dollars, if the agent reports it or the price of its model is known.',
    { examples: [0.03] },
  ),
  costSource: costSourceSchema(),
  estimate: optional(
    z.object({
      tokens: addDescription(count(), 'Of all that went through the model.', { examples: [5200] }),
      schemaTokens: addDescription(count(), 'Of what the servers offer.', { examples: [1200] }),
    }),
    'Tokens by the estimate of mcpchecker, where these are its results.',
  ),
  judge: addDescription(
    z.nullable(judgeUsageSchema()),
    'What its judgements took. Null: nothing was judged.',
  ),
  permissionDenials: addDescription(
    z.array(
      z.object({
        tool: addDescription(text(), "The agent's own name of the tool.", { examples: ['Bash'] }),
        reason: optional(text(), 'Why, if known.', {
          examples: ['not allowed by alwaysAllow of files in mcp-config.yaml'],
        }),
      }),
    ),
    'Tools that the agent itself did not let through.',
  ),
  cleanupFailed: addDescription(z.boolean(), 'A step of cleanup failed; the verdict stands.'),
  workdir: optional(text(), 'The working directory, if it was kept.', {
    examples: ['/tmp/5f0c1d8a2b7e/3c9a4e1f0b2d/work'],
  }),
  warnings: addDescription(z.array(warningSchema), 'What deserves a look.'),
  moreWarnings: optional(count(), 'Warnings beyond these; the journal has them.', {
    examples: [12],
  }),
  incomplete: optional(
    z.literal(true),
    'A part of its record was lost with a damaged line of the journal. The verdict stands; `recheck` does not judge it.',
  ),
});

/** A task run that has started and has no verdict yet, as read from a journal. */
export const openTaskRunSchema = z.extend(taskRunSchema, { outcome: z.null() });

/** A task run in a results file. */
export type TaskRunResult = z.infer<typeof taskRunSchema>;
/** An assertion with its verdict, in results and in the output of `recheck`. */
export type AssertionResult = z.infer<typeof assertionSchema> & { at: SourceLine };
