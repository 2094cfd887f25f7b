import * as z from 'zod/mini';
import type { RawJson } from '../base/json-text.js';
import {
  addDescription,
  count,
  optional,
  positiveCount,
  text,
  textMap,
} from '../base/schema-fields.js';
import { exampleModels } from '../config/models.js';
import { type EventDefinition, type EventFrom, field, rawJson } from './event-definition.js';
import {
  attemptNameText,
  outcomeSchema,
  outcomeText,
  type PhaseName,
  sourceSchema,
} from './task-run-events.js';
import { costSourceSchema, usageSchema } from './usage.js';

/** How an answer is held against a reference. */
export const judgeModes = ['contains', 'exact', 'rubric'] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Why an answer did not pass, in the judge's own terms. */
export const judgementCategories = [
  'semantic_mismatch',
  'missing_information',
  'contains_extra_info',
  'n/a',
] as const;
export type JudgementCategory = (typeof judgementCategories)[number];

const headers = () =>
  addDescription(textMap(), 'Headers, without credentials.', {
    examples: [{ 'content-type': 'application/json' }],
  });

const verdict = (description: string) =>
  addDescription(z.nullable(z.boolean()), description, { examples: [true] });

const category = () => z.enum(judgementCategories);

/** What the judge said when it was asked once. */
const voteSchema = () =>
  z.object({
    passed: verdict('What it says. Null: it gave no verdict.'),
    reason: optional(text(), 'Why, in its own words.', { examples: ['It names the pod.'] }),
    failureCategory: optional(category(), 'What kind of failure it is.', { examples: ['n/a'] }),
    error: optional(text(), 'Why there is no verdict.', {
      examples: ['the judge did not call submit_judgement'],
    }),
    attempts: addDescription(positiveCount(), 'How often it had to be asked.', { examples: [1] }),
  });
export type Vote = z.infer<ReturnType<typeof voteSchema>>;

/** What a judge made of an answer. */
const judgementSchema = () =>
  z.object({
    mode: addDescription(z.enum(judgeModes), 'How the answer was compared with the reference.'),
    reference: addDescription(text(), 'What the answer was compared with.', {
      examples: ['The pod web runs'],
    }),
    passed: verdict('What more than half of the votes say. Null: there is no verdict.'),
    reason: addDescription(text(), 'Why, in the words of a vote; or why there is no verdict.', {
      examples: ['The answer names the pod and says that it runs.'],
    }),
    failureCategory: addDescription(category(), 'What kind of failure it is.', {
      examples: ['n/a'],
    }),
    votes: addDescription(z.array(voteSchema()), 'What the judge said, each time it was asked.'),
    model: optional(text(), 'The model that answered.', { examples: [exampleModels.large] }),
    usage: optional(usageSchema(), 'Tokens of the model, over all votes and attempts.'),
    cost: optional(z.number(), 'In US dollars.', { examples: [0.002] }),
    costSource: costSourceSchema(),
  });
export type Judgement = z.infer<ReturnType<typeof judgementSchema>>;

/**
 * What a step did, besides its outputs. Texts are truncated to a sensible length. Arguments are raw JSON in events,
 * and any JSON in results.
 */
export const stepAccountShape = <Args extends z.ZodMiniType>(args: Args) => ({
  script: optional(
    z.object({
      file: optional(text(), "The file, from the task's folder.", { examples: ['verify.sh'] }),
      text: addDescription(text(), 'The beginning of the script.', {
        examples: ['kubectl get pod web | grep Running'],
      }),
    }),
    'Of `script`: what was run.',
  ),
  request: optional(
    z.object({
      method: addDescription(text(), 'HTTP method.', { examples: ['GET'] }),
      url: addDescription(text(), 'Address.', { examples: ['http://localhost:8080/health'] }),
      headers: headers(),
      body: optional(text(), 'The beginning of the body.', { examples: ['{"name":"web"}'] }),
    }),
    'Of `http`: what was asked.',
  ),
  response: optional(
    z.object({
      status: addDescription(count(), 'HTTP status.', { examples: [200] }),
      headers: headers(),
      bytes: addDescription(count(), 'Length of the body.', { examples: [512] }),
      redirects: optional(z.array(text()), 'Addresses that it was sent on to, in order.', {
        examples: [['http://localhost:8080/ready']],
      }),
    }),
    'Of `http`: what came back.',
  ),
  args: optional(args, 'Of `<server>.<tool>` and `<extension>.<operation>`: the arguments.', {
    examples: [{ name: 'web' }],
  }),
  log: optional(
    z.array(
      z.object({
        level: addDescription(text(), 'As the extension says.', { examples: ['info'] }),
        message: addDescription(text(), 'What it says.', { examples: ['namespace created'] }),
      }),
    ),
    'Of `<extension>.<operation>`: what the extension logged.',
  ),
  judgement: optional(judgementSchema(), 'Of `llmJudge`: what the judge said.'),
  unmet: optional(
    z.array(text()),
    'Every expectation that did not hold, with the value that was found.',
    { examples: [['status is 500, expected 200']] },
  ),
});

export type StepAccount = z.infer<
  z.ZodMiniObject<ReturnType<typeof stepAccountShape<z.ZodMiniType<RawJson>>>, z.core.$strip>
>;

/** Which step of setup, verify or cleanup. */
const stepMembers = (ifInvalid?: 'lose-event') => ({
  taskRun: field(text(), attemptNameText, ifInvalid),
  phase: field(
    z.enum(['setup', 'verify', 'cleanup'] satisfies PhaseName[]),
    '`setup`, `verify` or `cleanup`.',
    ifInvalid,
  ),
  step: field(positiveCount(), 'Its place in the phase, from 1.'),
  kind: field(text(), 'Type of the step, such as `script`.', ifInvalid),
  id: field(z.optional(text()), 'Id of the step.', ifInvalid && 'leave-out-member'),
});

/** For live display; the result is in `step-ended`. */
export const stepStarted = {
  type: 'step-started',
  description: 'A step of setup, verify or cleanup begins.',
  shape: () => stepMembers(),
} as const satisfies EventDefinition;
export type StepStarted = EventFrom<typeof stepStarted>;

export const stepEnded = {
  type: 'step-ended',
  description: 'A step of setup, verify or cleanup has ended.',
  shape: () => ({
    ...stepMembers('lose-event'),
    source: field(sourceSchema(), 'File and line of the step.'),
    passed: field(z.boolean(), 'Whether it passed.'),
    outcome: field(
      outcomeSchema(),
      `${outcomeText} \`error\`: it could not be judged, such as a program that is not there.`,
    ),
    message: field(z.optional(text()), 'Why it did not pass.'),
    outputs: field(textMap(), 'What later steps can refer to, such as `stdout`.', 'lose-event'),
    truncated: field(z.optional(z.array(text())), 'Outputs that were cut.', 'leave-out-member'),
    files: field(
      z.optional(textMap()),
      "Files with the full text of truncated outputs, from the journal's folder.",
    ),
    ...stepAccountShape(rawJson()),
    durationMs: field(z.number(), 'How long it took.'),
  }),
} as const satisfies EventDefinition;
export type StepEnded = EventFrom<typeof stepEnded>;

/** What an agent reports of its work, if it reports anything. */
export type AgentStep =
  | { kind: 'message'; text: string }
  | { kind: 'thinking'; text: string }
  /** `tool` is the agent's own name for it, such as `mcp__kubernetes__pods_list`. */
  | { kind: 'tool-call'; tool: string; id?: string; args?: RawJson }
  /** The text is truncated: the record of the calls has the whole. */
  | { kind: 'tool-result'; id?: string; isError: boolean; text: string }
  /** Diagnostic output, such as lines of stderr. */
  | { kind: 'log'; text: string };

export const agentStepKinds = [
  'message',
  'thinking',
  'tool-call',
  'tool-result',
  'log',
] as const satisfies AgentStep['kind'][];

export const agentOutput = {
  type: 'agent-output',
  description: 'Something that the agent said or did by its own account, while it worked.',
  shape: () => ({
    taskRun: field(text(), attemptNameText, 'lose-event'),
    kind: field(
      z.enum(agentStepKinds),
      '`message`, `thinking`, `tool-call`, `tool-result` or `log`.',
    ),
    text: field(z.optional(text()), 'What it said; of a tool result the beginning.'),
    tool: field(z.optional(text()), "Of a tool call: the agent's own name of the tool."),
    id: field(z.optional(text()), 'Ties a tool result to its call.'),
    args: field(z.optional(rawJson()), 'Of a tool call: its arguments.'),
    isError: field(z.optional(z.boolean()), 'Of a tool result: whether it is an error.'),
  }),
} as const satisfies EventDefinition;
export type AgentOutput = EventFrom<typeof agentOutput>;
