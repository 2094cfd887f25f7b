import * as z from 'zod';
import { parseDuration } from '../duration.js';
import { compilePattern } from '../pattern.js';
import type { ProblemCode } from '../problem-codes.js';

/** What a check of ours tells about a value, carried through zod's issue. */
export interface FieldFault {
  code: ProblemCode;
  message: string;
  hint?: string | undefined;
  /** The part of the string that is wrong. */
  offset?: number;
  length?: number;
}

type Check<Value> = (value: Value) => FieldFault | undefined;

/** Adds a check of ours to a schema. */
export function checked<Schema extends z.ZodType>(
  schema: Schema,
  check: Check<z.infer<Schema>>,
): Schema {
  return schema.check((context) => {
    const fault = check(context.value as z.infer<Schema>);
    if (fault) {
      context.issues.push({
        code: 'custom',
        input: context.value,
        message: fault.message,
        params: fault,
        continue: true,
      });
    }
  });
}

export const text = () => z.string();
export const nonEmptyText = () => z.string().min(1);
export const textMap = () => z.record(z.string(), z.string());
/** Any JSON value: what it means is up to whoever receives it. */
export const anything = () => z.unknown();
export const anyMap = () => z.record(z.string(), z.unknown());
export const count = () => z.int().min(0);
export const positiveCount = () => z.int().min(1);

/** More runs of one task than anybody has time for; keeps plans bounded. */
export const maxRuns = 10_000;
export const runCount = () => positiveCount().max(maxRuns);

/** Go's durations; a limit of nothing or less than nothing is a mistake. */
export const duration = () =>
  checked(z.string(), (value) => {
    const result = parseDuration(value);
    if (!result.ok) {
      const message = `invalid duration ${JSON.stringify(value)}: ${result.reason}`;
      return { code: 'invalid-duration', message, hint: 'write it like 300ms, 30s, 5m or 1h30m' };
    }
    if (result.nanoseconds > 0n) return undefined;
    const message = `invalid duration ${JSON.stringify(value)}: a limit is more than zero`;
    return { code: 'invalid-duration', message };
  }).meta({
    pattern:
      '^\\+?([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)(([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))*$',
    examples: ['30s', '300ms', '5m', '1h30m'],
  });

/** Go RE2 syntax, unanchored. */
export const pattern = () =>
  checked(z.string().min(1), (value) => {
    const result = compilePattern(value);
    if (result.ok) return undefined;
    const { offset, length, reason, hint } = result;
    return { code: 'invalid-pattern', message: `invalid pattern: ${reason}`, hint, offset, length };
  });

/** A path into JSON, such as `data.items[0].id`. */
export const fieldPath = () => {
  const grammar = '^([^.\\[\\]]+|\\[[0-9]+\\])(\\.[^.\\[\\]]+|\\[[0-9]+\\])*$';
  const accepts = new RegExp(grammar);
  return checked(z.string(), (value) =>
    accepts.test(value)
      ? undefined
      : {
          code: 'invalid-value',
          message: `${JSON.stringify(value)} is not a path into JSON`,
          hint: 'write it like data.items[0].id',
        },
  ).meta({ pattern: grammar });
};

/** Versions of the formats that are read; the first word is the family a suite comes from. */
export const apiVersions = [
  'proctor/v1',
  'mcpchecker/v1alpha2',
  'mcpchecker/v1alpha1',
  'gevals/v1alpha2',
  'gevals/v1alpha1',
] as const;

/** What the metadata of every kind of file may hold besides. */
export const commonMetadata = {
  description: z
    .string()
    .optional()
    .describe('For people.')
    .meta({ examples: ['Creates a pod and waits for it'] }),
  category: z
    .string()
    .optional()
    .describe('For people.')
    .meta({ examples: ['core'] }),
  labels: textMap()
    .optional()
    .describe('Labels; those of tasks can be selected by.')
    .meta({ examples: [{ area: 'pods' }] }),
  annotations: textMap()
    .optional()
    .describe('For other programs.')
    .meta({ examples: [{ owner: 'platform-team' }] }),
};

/** Environment variables for a program. */
export const environment = (description: string) =>
  textMap()
    .optional()
    .describe(description)
    .meta({ examples: [{ LOG_LEVEL: 'debug' }] });

export const apiVersion = () =>
  z
    .enum(apiVersions)
    .describe('Version of the format. May be left out.')
    .meta({ examples: ['proctor/v1'] });
