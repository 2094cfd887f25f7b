import * as z from 'zod/mini';
import { parseDuration } from '../../base/duration.js';
import { fieldPathGrammar } from '../../base/json.js';
import { addDescription, optional, text, textMap } from '../../base/schema-fields.js';
import { compilePattern } from '../patterns/pattern.js';
import type { ProblemCode } from '../problems/problem-codes.js';
import { readPackageReference } from './package-reference.js';
import { getRules, listKnownKeys, withRules } from './schema-rules.js';

export {
  addDescription,
  anyMap,
  anything,
  count,
  optional,
  positiveCount,
  text,
  textMap,
} from '../../base/schema-fields.js';

/** What one of our own checks found wrong with a value, carried through zod's issue. */
export interface FieldFault {
  code: ProblemCode;
  message: string;
  hint?: string | undefined;
  /** The part of the string that is wrong. */
  offset?: number;
  length?: number;
}

type Check<Value> = (value: Value) => FieldFault | undefined;

/** Adds a check of ours to a schema, for values that nothing else is wrong with. */
function addCheck<Schema extends z.ZodMiniType>(
  schema: Schema,
  check: Check<z.infer<Schema>>,
): Schema {
  return schema.check((context) => {
    if (context.issues.length > 0) return;
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

/** White space alone says nothing either. */
export const nonEmptyText = () => z.string().check(z.regex(/\S/));

/** Far more runs of one task than is practical; keeps plans bounded. */
export const maxRuns = 10_000;
export const runCount = () => z.int().check(z.minimum(1), z.maximum(maxRuns));

/** Go's durations; a limit of nothing or less than nothing is a mistake. */
export const duration = () => {
  const hint = 'write it like 300ms, 30s, 5m or 1h30m';
  const schema = addCheck(z.string(), (value) => {
    const result = parseDuration(value);
    if (!result.ok) {
      const message = `invalid duration ${JSON.stringify(value)}: ${result.reason}`;
      return { code: 'invalid-duration', message, hint };
    }
    if (result.milliseconds > 0) return undefined;
    const message = `invalid duration ${JSON.stringify(value)}: a limit is more than zero`;
    return { code: 'invalid-duration', message };
  });
  const number = '([0-9]+\\.?[0-9]*|\\.[0-9]+)';
  const grammar = `^\\+?(${number}(ns|us|µs|μs|ms|s|m|h))+$`;
  const examples = ['30s', '300ms', '5m', '1h30m'];
  return withRules(
    addDescription(schema, "A duration in Go's notation.", { pattern: grammar, examples }),
    { hint },
  );
};

/** Go RE2 syntax, unanchored. */
export const pattern = () => addCheck(nonEmptyText(), findPatternFault);

/** A pattern for what is redacted: one that takes everything leaves nothing to look at. */
export const redactionPattern = () =>
  addCheck(nonEmptyText(), (value) => {
    const fault = findPatternFault(value);
    if (fault || !redactsEverything(value)) return fault;
    const message = 'the pattern matches nearly every text';
    return { code: 'redacts-everything', message, hint: 'say what is special about the secret' };
  });

function findPatternFault(value: string) {
  const result = compilePattern(value);
  if (result.ok) return undefined;
  const { offset, length, reason, hint } = result;
  const code = 'invalid-pattern' as const;
  return { code, message: `invalid pattern: ${reason}`, hint, offset, length };
}

const ordinaryTexts = ['passed', 'The quick brown fox', '{"content":[]}', '2026-01-02', '12345678'];
/** Texts that are never a secret. */
const singleCharacters = ['', ...' aeiosxAZ019"{}:,./_-\n'];

function redactsEverything(source: string): boolean {
  const whole = compilePattern(`^(?:${source})$`);
  const anywhere = compilePattern(source);
  if (!anywhere.ok) return false;
  const isShort = whole.ok && singleCharacters.some((text) => whole.pattern.test(text));
  return isShort || ordinaryTexts.every((text) => anywhere.pattern.test(text));
}

/** Whether there is such a program is only known when it is looked for. */
export const packageReference = () =>
  addCheck(nonEmptyText(), (value) => {
    const reference = readPackageReference(value);
    if (reference.kind !== 'flaw') return undefined;
    const { reason, hint } = reference;
    return { code: 'invalid-value', message: `the package ${reason}`, hint };
  });

/** A path into JSON, such as `data.items[0].id`. */
export const fieldPath = () => {
  const grammar = new RegExp(fieldPathGrammar);
  const schema = addCheck(z.string(), (value) =>
    grammar.test(value)
      ? undefined
      : {
          code: 'invalid-value',
          message: `${JSON.stringify(value)} is not a path into JSON`,
          hint: 'write it like data.items[0].id',
        },
  );
  return addDescription(schema, 'A path into JSON.', { pattern: fieldPathGrammar });
};

/** A map of optional keys that must have one of them. */
export function requireKey<Schema extends z.ZodMiniObject>(schema: Schema): Schema {
  const keys = listKnownKeys(schema).join(' or ');
  const filled = addCheck(schema, (value) =>
    Object.keys(value).length > 0
      ? undefined
      : { code: 'missing-field', message: `nothing is expected here: add ${keys}` },
  );
  return withRules(filled, {
    ...getRules(schema),
    mustSaySomething: true,
    jsonSchema: { minProperties: 1 },
  });
}

/** Versions of the formats that are read; the first word is the family a suite comes from. */
const apiVersions = [
  'proctor/v1',
  'mcpchecker/v1alpha2',
  'mcpchecker/v1alpha1',
  'gevals/v1alpha2',
  'gevals/v1alpha1',
] as const;

export const apiVersion = () =>
  optional(z.enum(apiVersions), 'Version of the format. May be left out.', {
    examples: ['proctor/v1'],
  });

/** What the metadata of every kind of file may hold besides. */
export const commonMetadata = {
  description: optional(text(), 'For people.', { examples: ['Creates a pod and waits for it'] }),
  category: optional(text(), 'For people.', { examples: ['core'] }),
  labels: optional(textMap(), 'Labels; those of tasks can be selected by.', {
    examples: [{ area: 'pods' }],
  }),
  annotations: optional(textMap(), 'For other programs.', {
    examples: [{ owner: 'platform-team' }],
  }),
};

/** Environment variables for a program. */
export const environment = (description: string) =>
  optional(textMap(), description, { examples: [{ LOG_LEVEL: 'debug' }] });

/** Which API of OpenAI a model is asked over. */
export const useResponsesAPI = () =>
  optional(
    z.boolean(),
    'Asks over the Responses API of OpenAI (true) or its chat API (false); for `openai-agent`, and models of `openai` and `openai-compatible`. None: the chat API, but for models of OpenAI that need the other (from `gpt-5.6` on).',
    { examples: [true] },
  );
