import * as z from 'zod/mini';
import { eventDefinitions } from '../../src/journal/event.js';
import { warningCodes } from '../../src/journal/mcp-events.js';
import { failureCategories } from '../../src/journal/task-run-events.js';
import { code, generatedNote, table } from './markdown.js';

type Schema = z.core.$ZodType;

/** The fields of events as rows. Parts of a field are listed where they appear first: several events have an agent. */
class FieldRows {
  readonly #listed = new Set<string>();

  list(shape: Readonly<Record<string, Schema>>, owner = ''): string[][] {
    return Object.entries(shape).flatMap(([key, schema]) => {
      const name = `${owner}${key}`;
      const { description } = z.globalRegistry.get(schema) ?? {};
      const row = description === undefined ? [] : [[code(name), description]];
      return [...row, ...this.#listParts(schema, name)];
    });
  }

  #listParts(schema: Schema, name: string): string[][] {
    if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
      return this.#listParts(schema.def.innerType, name);
    }
    if (schema instanceof z.ZodMiniArray) return this.#listParts(schema.def.element, `${name}[]`);
    if (!(schema instanceof z.ZodMiniObject)) return [];
    const { shape } = schema.def;
    const parts = JSON.stringify(Object.keys(shape));
    if (this.#listed.has(parts)) return [];
    this.#listed.add(parts);
    return this.list(shape, `${name}.`);
  }
}

export function journalReference(): string {
  const rows = new FieldRows();
  const parts = [
    generatedNote,
    '# Journal\n',
    `A journal is the record of what happened: JSON Lines, one event a line, written as things happen.
Every event has \`seq\` (counts up from 1 without gaps), \`at\` (wall time, ISO 8601 with milliseconds) and
\`type\`. A last line that is torn, because the process was killed, does not count. Parts of a field, such as \`agent.model\`, are listed where
they appear first.\n`,
    'Secrets are replaced by `[redacted:NAME]` before anything is written: values of environment variables in `headers` and `env` of the MCP config, in `env` and `config` of extensions and in headers of `http` steps, Authorization headers, API keys, and what looks like a token.\n',
    ...eventDefinitions.flatMap(({ type, description, shape }) => [
      `## ${type}\n`,
      `${description}\n`,
      table(['Field', 'Meaning'], rows.list(shape())),
    ]),
    '## Categories of failures\n',
    table(
      ['Category', 'Meaning'],
      Object.entries(failureCategories).map(([name, meaning]) => [code(name), meaning]),
    ),
    '## Codes of warnings\n',
    table(
      ['Code', 'Meaning'],
      Object.entries(warningCodes).map(([name, meaning]) => [code(name), meaning]),
    ),
  ];
  return parts.join('\n');
}
