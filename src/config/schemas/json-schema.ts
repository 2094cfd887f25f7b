import * as z from 'zod/mini';
import { judgeCasesSchema } from '../files/judge-cases-file.js';
import { pricesSchema } from '../files/prices-file.js';
import { agentSchema } from './agent-schema.js';
import { evalSchema } from './eval-schema.js';
import { addDescription } from './fields.js';
import { mcpConfigSchema } from './mcp-config-schema.js';
import { getRules, type SchemaRules } from './schema-rules.js';
import { mcpToolStepSchema } from './step-schemas.js';
import { scriptTaskSchema, stepTaskSchema } from './task-schema.js';

/** The kinds of files that people write. */
export const fileKinds = ['eval', 'agent', 'mcp', 'task', 'judge-cases', 'prices'] as const;
export type FileKind = (typeof fileKinds)[number];

/** The keywords that programs look at most; not zod's own type, which users of the library lack. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  examples?: unknown[];
  [keyword: string]: unknown;
}

export interface SchemaSource {
  title: string;
  schema: z.ZodMiniType;
  /** Definitions to add although only the eval decides where they apply. */
  definitions?: Record<string, z.ZodMiniType>;
}

const sources: Record<FileKind, SchemaSource> = {
  eval: { title: 'Proctor Eval', schema: evalSchema },
  agent: { title: 'Proctor Agent', schema: agentSchema },
  mcp: { title: 'Proctor MCP config', schema: mcpConfigSchema },
  task: {
    title: 'Proctor Task',
    schema: addDescription(
      z.union([stepTaskSchema, scriptTaskSchema]),
      'What the agent is asked to do, and how the outcome is verified.',
    ),
    definitions: { mcpToolStep: mcpToolStepSchema },
  },
  'judge-cases': { title: 'Proctor judge cases', schema: judgeCasesSchema },
  prices: { title: 'Proctor prices', schema: pricesSchema },
};

export function makeFileSchema(kind: FileKind): JsonSchema {
  return makeJsonSchema(sources[kind]);
}

/** JSON Schema (2020-12), for editors and other programs. */
export function makeJsonSchema({ title, schema, definitions = {} }: SchemaSource): JsonSchema {
  const { $schema, $defs, ...rest } = generateSchema(schema);
  const named = Object.entries(definitions).map(([name, each]) => {
    const { $schema: _, ...definition } = generateSchema(each);
    return [name, definition];
  });
  const allDefinitions = { ...$defs, ...Object.fromEntries(named) };
  return {
    $schema,
    title,
    ...rest,
    ...(Object.keys(allDefinitions).length > 0 ? { $defs: allDefinitions } : {}),
  } as JsonSchema;
}

function generateSchema(schema: z.ZodMiniType): JsonSchema {
  return z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      const { exactlyOne, unless, dottedKeys, jsonSchema: extra } = getRules(zodSchema);
      if (exactlyOne) jsonSchema.oneOf = listAlternatives(exactlyOne, unless);
      if (dottedKeys) {
        jsonSchema.patternProperties = { '^[^.]+\\..+$': { description: dottedKeys } };
        jsonSchema.additionalProperties = false;
      }
      Object.assign(jsonSchema, extra);
    },
  }) as JsonSchema;
}

function listAlternatives(
  exactlyOne: readonly string[],
  unless: SchemaRules['unless'],
): Record<string, unknown>[] {
  const one = exactlyOne.map((key) => ({ required: [key] }));
  if (!unless) return one;
  const [key, member] = unless;
  return [
    ...one,
    { required: [key], properties: { [key]: { required: [member] } }, not: { anyOf: one } },
  ];
}
