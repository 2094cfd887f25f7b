import { describe, expect, it } from 'vitest';
import type * as z from 'zod/mini';
import { readYamlTexts } from '../../../testing/invalid-suites.js';
import { agentSchema } from '../schemas/agent-schema.js';
import { evalSchema } from '../schemas/eval-schema.js';
import { scriptTaskSchema, stepTaskSchema } from '../schemas/task-schema.js';
import { readPlainYaml } from '../yaml/plain-yaml.js';
import { conforms } from './conforms.js';

const step = { script: { inline: 'true' } };
const task = {
  kind: 'Task',
  metadata: { name: 'a' },
  spec: { verify: [step], prompt: { inline: 'b' } },
};

/** Every file of the examples and of the tests that a schema is for, the wrong ones too. */
const files = readYamlTexts().flatMap((text) => {
  const data = readPlainYaml(text)?.value;
  const schema = schemaFor(data as Record<string, unknown> | null | undefined);
  return schema ? [{ schema, data }] : [];
});

function schemaFor(data: Record<string, unknown> | null | undefined): z.ZodMiniType | undefined {
  if (data?.kind === 'Eval') return evalSchema;
  if (data?.kind === 'Agent') return agentSchema;
  if (data?.kind === 'Task') return data.steps ? scriptTaskSchema : stepTaskSchema;
  return undefined;
}

describe('conforms', () => {
  it('says yes of all files that zod finds nothing wrong with and that follow the rules', () => {
    const [right, others] = [[], []] as [unknown[], unknown[]];
    for (const { schema, data } of files) {
      if (!schema.safeParse(data).success) continue;
      (conforms(schema, data) ? right : others).push(data);
    }
    expect(right.length).toBeGreaterThan(50);
    // Those of which a rule of ours says something.
    expect(others.length).toBeLessThan(right.length / 10);
  });

  it('says yes of nothing that zod finds something wrong with, however it is damaged', () => {
    const short = files.filter(({ data }) => JSON.stringify(data).length < 400);
    const conforming = short.flatMap(({ schema, data }) =>
      [...damagedCopies(data)]
        .filter((damaged) => conforms(schema, damaged))
        .map((damaged) => ({ schema, damaged })),
    );
    expect(conforming.length).toBeGreaterThan(500);
    expect(conforming.filter(({ schema, damaged }) => !schema.safeParse(damaged).success)).toEqual(
      [],
    );
  });

  it.each([
    ['two of which exactly one may be given', { inline: 'true', file: 'a.sh' }],
    ['none of which exactly one must be given', {}],
  ])('says no of %s, which zod knows nothing of', (_, script) => {
    const spec = { ...task.spec, verify: [{ script }] };
    expect(conforms(stepTaskSchema, task)).toBe(true);
    expect(stepTaskSchema.safeParse({ ...task, spec }).success).toBe(true);
    expect(conforms(stepTaskSchema, { ...task, spec })).toBe(false);
  });
});

const replacements = [null, '', ' ', 'text', -1, 1.5, true, [], {}, [null], { unknown: 1 }];

/** Copies of a value, each with one part of it left out, replaced or added. */
function* damagedCopies(value: unknown): Generator<unknown> {
  yield* replacements;
  if (typeof value !== 'object' || value === null) return;
  const withPart = (key: string, part: unknown) =>
    Array.isArray(value) ? value.with(Number(key), part) : { ...value, [key]: part };
  if (!Array.isArray(value)) yield { ...value, unknown: 1 };
  for (const [key, part] of Object.entries(value)) {
    const entries = Object.entries(value).filter(([name]) => name !== key);
    yield Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
    for (const damaged of damagedCopies(part)) yield withPart(key, damaged);
  }
}
