import * as z from 'zod/mini';
import { isObject } from '../../base/json.js';

const optionalText = z.nullish(z.string());
const optionalNumber = z.nullish(z.number());
const optionalTruth = z.nullish(z.boolean());

const tokens = z.nullish(
  z.object({
    inputTokens: optionalNumber,
    outputTokens: optionalNumber,
    thoughtTokens: optionalNumber,
    cachedReadTokens: optionalNumber,
  }),
);

const callMembers = {
  serverName: z.string(),
  timestamp: optionalText,
  // Go always writes it, so null does not mean success.
  success: z.optional(z.boolean()),
  error: optionalText,
  tokens,
};

const request = z.nullish(
  z.object({ Params: z.nullish(z.object({ arguments: z.nullish(z.unknown()) })) }),
);

const step = z.object({
  type: optionalText,
  success: optionalTruth,
  message: optionalText,
  error: optionalText,
  outputs: z.nullish(z.record(z.string(), z.string())),
});

const phaseMembers = { Success: optionalTruth, Error: optionalText };
/** A step is null where the script of it could not be run. */
const phase = z.nullish(z.object({ ...phaseMembers, Steps: z.nullish(z.array(z.nullable(step))) }));

const outputStep = z.object({
  type: optionalText,
  content: optionalText,
  toolCall: z.nullish(
    z.object({
      title: optionalText,
      status: optionalText,
      rawInput: z.nullish(z.unknown()),
      rawOutput: z.nullish(z.unknown()),
    }),
  ),
});

/** The members of a task run of mcpchecker that Proctor reads. Any of its lists may be null. */
export const mcpcheckerTaskRunSchema = z.object({
  taskName: z.string(),
  taskPath: optionalText,
  /** Number of the run from 0; left out if it is 0. */
  runIndex: optionalNumber,
  totalRuns: optionalNumber,
  difficulty: optionalText,
  /** A verdict rests on it: without it there is none. */
  taskPassed: z.optional(z.boolean()),
  taskOutput: optionalText,
  allAssertionsPassed: z.optional(z.boolean()),
  taskError: optionalText,
  taskJudgeReason: optionalText,
  taskJudgeError: optionalText,
  timedOut: z.optional(z.boolean()),
  agentExecutionError: z.optional(z.boolean()),
  setupOutput: phase,
  agentOutput: z.nullish(
    z.object({
      ...phaseMembers,
      Steps: z.nullish(z.array(step)),
      agentDetails: z.nullish(z.object({ outputSteps: z.nullish(z.array(outputStep)) })),
    }),
  ),
  verifyOutput: phase,
  cleanupOutput: phase,
  tokenEstimate: z.nullish(
    z.object({
      inputTokens: optionalNumber,
      outputTokens: optionalNumber,
      totalTokens: optionalNumber,
      mcpSchemaTokens: optionalNumber,
      actual: tokens,
    }),
  ),
  judgeTokenUsage: tokens,
  assertionResults: z.nullish(
    z.record(z.string(), z.nullish(z.object({ passed: z.boolean(), reason: optionalText }))),
  ),
  callHistory: z.nullish(
    z.object({
      ToolCalls: z.nullish(
        z.array(
          z.object({ ...callMembers, name: z.string(), request, result: z.nullish(z.unknown()) }),
        ),
      ),
      ResourceReads: z.nullish(
        z.array(z.object({ ...callMembers, uri: z.string(), result: z.nullish(z.unknown()) })),
      ),
      PromptGets: z.nullish(
        z.array(
          z.object({ ...callMembers, name: z.string(), request, result: z.nullish(z.unknown()) }),
        ),
      ),
    }),
  ),
});

export type McpcheckerTaskRun = z.infer<typeof mcpcheckerTaskRunSchema>;
export type McpcheckerTokens = z.infer<typeof tokens>;

/**
 * Gives keys the spelling of a schema, in place: for Go, which writes and reads these files, `toolCalls` and
 * `ToolCalls` are one key unless both are there.
 */
export function normalizeKeySpelling(schema: z.core.$ZodType, value: unknown): void {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    normalizeKeySpelling(schema.def.innerType, value);
  } else if (schema instanceof z.ZodMiniArray && Array.isArray(value)) {
    for (const item of value) normalizeKeySpelling(schema.def.element, item);
  } else if (schema instanceof z.ZodMiniRecord && isObject(value)) {
    for (const item of Object.values(value)) normalizeKeySpelling(schema.def.valueType, item);
  } else if (schema instanceof z.ZodMiniObject && isObject(value)) {
    const shape: Readonly<Record<string, z.core.$ZodType>> = schema.def.shape;
    const unknown = Object.keys(value).filter((key) => !Object.hasOwn(shape, key));
    for (const [key, member] of Object.entries(shape)) {
      const other = Object.hasOwn(value, key)
        ? undefined
        : unknown.find((name) => name.toLowerCase() === key.toLowerCase());
      if (other !== undefined) {
        value[key] = value[other];
        delete value[other];
      }
      if (Object.hasOwn(value, key)) normalizeKeySpelling(member, value[key]);
    }
  }
}
