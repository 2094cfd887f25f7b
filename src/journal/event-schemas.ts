import * as z from 'zod/mini';
import type { RawJson } from '../base/json-text.js';
import type { EventBody } from './event.js';
import type { LeftOut } from './left-out.js';
import { repairValue } from './repair.js';
import { budgetKinds, journalSchema } from './run-events.js';

const text = z.string();
const count = z.int().check(z.minimum(0));
const positive = z.int().check(z.minimum(1));
const option = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);
const options = z.optional(z.record(z.string(), option));
const textMap = z.record(z.string(), z.string());

/** May be missing; but if it is there and no text, nothing can be said of the event. */
const optionalText = z.union([z.string(), z.undefined()]);
/** What a verdict rests on is never made up. */
const verdict = z.union([z.boolean(), z.null()]);

const taskRunMembers = { taskRun: text, task: text, run: positive, variant: optionalText };
const phaseMembers = { taskRun: text, phase: z.enum(['setup', 'agent', 'verify', 'cleanup']) };
const agent = z.optional(
  z.object({
    ...{ name: text, type: text, model: z.optional(text), version: z.optional(text) },
    settings: z.optional(text),
  }),
);
const variants = z.optional(z.array(z.object({ name: text, agent: z.object({ name: text }) })));
const files = z.optional(z.array(z.object({ path: text, sha256: text })));
const process = z.optional(z.object({ pid: z.number(), startTime: text }));
const amount = z.number().check(z.minimum(0));
/** Some thirty years: what is longer was never measured. */
export const maxDurationMs = 1e12;
const flag = z.optional(z.literal(true));
const noCalls = { tool: 0, resource: 0, prompt: 0, errors: 0, tokens: 0 };

interface EventSchema {
  schema: z.ZodMiniType;
  fallbacks?: Readonly<Record<string, unknown>>;
}

const defineSchema = (
  members: z.core.$ZodLooseShape,
  fallbacks?: EventSchema['fallbacks'],
): EventSchema => ({
  schema: z.object(members),
  ...(fallbacks && { fallbacks }),
});

/**
 * What has to be so for events to be put together. The rest is known when that is done: results and their
 * task runs have schemas of their own. Does not compile while a type of event is missing.
 */
const eventSchemas: Readonly<Record<EventBody['type'], EventSchema | undefined>> = {
  'run-started': defineSchema({
    schema: z.optional(z.literal(journalSchema)),
    mcpServers: z.array(z.object({ name: text })),
    evaluation: z.optional(
      z.object({
        id: z.optional(text),
        eval: z.optional(z.object({ name: text, file: text })),
        files,
        agent,
        variants,
        judge: agent,
        options,
        environment: z.optional(z.object({ node: text, platform: text, arch: text })),
        taskRuns: z.optional(count),
        process,
        workspace: z.optional(text),
        queue: z.optional(text),
      }),
    ),
  }),
  'run-resumed': defineSchema({
    missing: z.optional(count),
    process,
    workspace: z.optional(text),
    queue: z.optional(text),
    files,
    options,
    agent,
    variants,
    judge: agent,
  }),
  'server-checked': defineSchema({ server: text, mcpConfigFile: optionalText }),
  'task-run-started': defineSchema(
    {
      ...taskRunMembers,
      path: text,
      runs: positive,
      attempt: positive,
      difficulty: z.optional(text),
      labels: textMap,
      workdir: text,
      random: z.object({ id: text, port: z.number() }),
      worker: z.optional(text),
    },
    { path: '', runs: 1, attempt: 1 },
  ),
  'phase-started': defineSchema({ ...phaseMembers, prompt: z.optional(text) }),
  'phase-ended': defineSchema(phaseMembers),
  'step-started': undefined,
  'step-ended': defineSchema({
    ...phaseMembers,
    kind: text,
    id: z.optional(text),
    outputs: textMap,
    truncated: z.optional(z.array(text)),
  }),
  'agent-output': defineSchema({ taskRun: text }),
  'mcp-message': undefined,
  // Only calls of the agent have numbers.
  'mcp-call': defineSchema({
    taskRun: optionalText,
    call: z.union([positive, z.undefined()]),
    kind: text,
    isError: z.boolean(),
  }),
  'wait-started': undefined,
  'wait-ended': undefined,
  'assertion-checked': defineSchema({ taskRun: text, name: text, passed: z.boolean() }),
  'task-run-ended': defineSchema(
    {
      ...taskRunMembers,
      outcome: z.enum(['passed', 'failed', 'timeout', 'error', 'cancelled']),
      verified: verdict,
      assertionsHeld: verdict,
      calls: z.object({
        tool: count,
        resource: count,
        prompt: count,
        errors: count,
        tokens: count,
      }),
      output: text,
      judge: z.optional(z.object({})),
      workdir: z.optional(text),
    },
    { calls: noCalls, output: '' },
  ),
  'runs-decided': defineSchema({ task: text, variant: optionalText, runs: positive, more: count }),
  warning: defineSchema({ taskRun: optionalText }),
  'run-ended': defineSchema({
    durationMs: z.optional(z.number().check(z.minimum(0), z.maximum(maxDurationMs))),
    interrupted: flag,
    bailed: flag,
    budget: z.optional(z.object({ kind: z.enum(budgetKinds), limit: amount, spent: amount })),
  }),
};

const schemaByType = new Map(Object.entries(eventSchemas));

export function isKnownType(type: string): boolean {
  return schemaByType.has(type);
}

/** Leaves out of an event what is not what it should be. False if the event cannot be used at all. */
export function repairEvent(
  event: { type: string },
  place: string,
  onLeftOut: (part: LeftOut) => void,
): boolean {
  const found = schemaByType.get(event.type);
  if (!found) return true;
  const { schema, fallbacks = {} } = found;
  return repairValue(schema, event, { place: `${place}, `, onLeftOut, fallbacks });
}

type RawKeys<Event> = {
  [Key in keyof Event]-?: NonNullable<Event[Key]> extends RawJson ? Key : never;
}[keyof Event];

/** Does not compile while a type of event, or a raw member of one, is missing. */
const rawMembers: { [Event in EventBody as Event['type']]: Record<RawKeys<Event>, true> } = {
  'run-started': {},
  'run-resumed': {},
  'server-checked': { tools: true, resources: true, resourceTemplates: true, prompts: true },
  'task-run-started': {},
  'phase-started': {},
  'step-started': {},
  'step-ended': { args: true },
  'agent-output': { args: true },
  'mcp-message': { message: true },
  'mcp-call': { args: true, result: true, error: true },
  'phase-ended': {},
  'wait-started': {},
  'wait-ended': {},
  'assertion-checked': {},
  'task-run-ended': {},
  warning: {},
  'runs-decided': {},
  'run-ended': {},
};

const keysByType = new Map(
  Object.entries(rawMembers).map(([type, members]) => [type, new Set(Object.keys(members))]),
);

/** Members of a type of event that are kept as the text that came over the wire. */
export function listRawMembers(type: string): ReadonlySet<string> {
  return keysByType.get(type) ?? none;
}

const none: ReadonlySet<string> = new Set();
