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

/** The members of an event that servers or agents wrote: they are kept as the text that came over the wire. */
type RawKeys<Event> = {
  [Key in keyof Event]-?: NonNullable<Event[Key]> extends RawJson ? Key : never;
}[keyof Event];

/** How a type of event is read. */
type EventDefinition<Event> = {
  /** What members have to be so that events can be put together; others are not looked at here. */
  members?: { readonly [Key in Exclude<keyof Event, 'type'>]?: z.core.$ZodType };
  /** What takes the place of members that have to be there and cannot be used. */
  fallbacks?: Partial<Event>;
} & ([RawKeys<Event>] extends [never] ? unknown : { raw: Readonly<Record<RawKeys<Event>, true>> });

/**
 * How every type of event is read. Only what folds over events rely on is checked: results and their task
 * runs have schemas of their own. Does not compile while a type of event, or a raw member of one, is missing.
 */
const definitions: { readonly [Event in EventBody as Event['type']]: EventDefinition<Event> } = {
  'run-started': {
    members: {
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
    },
  },
  'run-resumed': {
    members: {
      missing: z.optional(count),
      process,
      workspace: z.optional(text),
      queue: z.optional(text),
      files,
      options,
      agent,
      variants,
      judge: agent,
    },
  },
  'server-checked': {
    raw: { tools: true, resources: true, resourceTemplates: true, prompts: true },
    members: { server: text, mcpConfigFile: optionalText },
  },
  'task-run-started': {
    members: {
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
    fallbacks: { path: '', runs: 1, attempt: 1 },
  },
  'phase-started': { members: { ...phaseMembers, prompt: z.optional(text) } },
  'phase-ended': { members: phaseMembers },
  'step-started': {},
  'step-ended': {
    raw: { args: true },
    members: {
      ...phaseMembers,
      kind: text,
      id: z.optional(text),
      outputs: textMap,
      truncated: z.optional(z.array(text)),
    },
  },
  'agent-output': { raw: { args: true }, members: { taskRun: text } },
  'mcp-message': { raw: { message: true } },
  // Only calls of the agent have numbers.
  'mcp-call': {
    raw: { args: true, result: true, error: true },
    members: {
      taskRun: optionalText,
      call: z.union([positive, z.undefined()]),
      kind: text,
      isError: z.boolean(),
    },
  },
  'wait-started': {},
  'wait-ended': {},
  'assertion-checked': { members: { taskRun: text, name: text, passed: z.boolean() } },
  'task-run-ended': {
    members: {
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
    fallbacks: { calls: noCalls, output: '' },
  },
  'runs-decided': { members: { task: text, variant: optionalText, runs: positive, more: count } },
  warning: { members: { taskRun: optionalText } },
  'run-ended': {
    members: {
      durationMs: z.optional(z.number().check(z.minimum(0), z.maximum(maxDurationMs))),
      interrupted: flag,
      bailed: flag,
      budget: z.optional(z.object({ kind: z.enum(budgetKinds), limit: amount, spent: amount })),
    },
  },
};

interface EventReading {
  /** Undefined: nothing is checked, which is faster for frequent events such as messages. */
  schema: z.ZodMiniType | undefined;
  fallbacks: Readonly<Record<string, unknown>>;
  raw: ReadonlySet<string>;
}

const readingByType: ReadonlyMap<string, EventReading> = new Map(
  Object.entries<EventDefinition<unknown> & { raw?: object }>(definitions).map(
    ([type, { members, fallbacks = {}, raw = {} }]) => [
      type,
      { schema: members && z.object(members), fallbacks, raw: new Set(Object.keys(raw)) },
    ],
  ),
);

export function isKnownType(type: string): boolean {
  return readingByType.has(type);
}

/** Leaves out of an event what is not what it should be. False if the event cannot be used at all. */
export function repairEvent(
  event: { type: string },
  place: string,
  onLeftOut: (part: LeftOut) => void,
): boolean {
  const reading = readingByType.get(event.type);
  if (!reading?.schema) return true;
  const { schema, fallbacks } = reading;
  return repairValue(schema, event, { place: `${place}, `, onLeftOut, fallbacks });
}

/** Members of a type of event that are kept as the text that came over the wire. */
export function listRawMembers(type: string): ReadonlySet<string> {
  return readingByType.get(type)?.raw ?? noMembers;
}

const noMembers: ReadonlySet<string> = new Set();
