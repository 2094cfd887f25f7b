import {
  fileKinds,
  type JsonSchema,
  makeFileSchema,
  makeJsonSchema,
} from '../../config/schemas/json-schema.js';
import { resultsSchema } from './results-schema.js';

/** Every format with a JSON Schema: the input files, and the results. */
export const schemaKinds = [...fileKinds, 'results'] as const;
export type SchemaKind = (typeof schemaKinds)[number];

/** The JSON Schema (2020-12) of a format. */
export function jsonSchemaOf(kind: SchemaKind): JsonSchema {
  if (kind !== 'results') return makeFileSchema(kind);
  return makeJsonSchema({ title: 'Proctor results', schema: resultsSchema });
}
