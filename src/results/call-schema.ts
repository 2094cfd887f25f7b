import * as z from 'zod/mini';
import {
  anything,
  count,
  described,
  optional,
  positiveCount,
  text,
} from '../config/schemas/fields.js';
import { maxDurationMs } from '../journal/event-schemas.js';

/** A call of the agent: of a tool, a resource or a prompt. */
export const callSchema = z.object({
  seq: described(positiveCount(), 'Event in the journal.', { examples: [23] }),
  call: described(
    positiveCount(),
    "Its number: the agent's calls in a task run count from 1, in the order in which they arrived.",
    { examples: [1] },
  ),
  kind: described(z.enum(['tool', 'resource', 'prompt']), 'What was called.'),
  server: described(text(), 'Name of the server.', { examples: ['kubernetes'] }),
  name: described(text(), 'The tool or prompt; of a resource its URI.', {
    examples: ['pods_list'],
  }),
  args: described(anything(), 'Null: none were given.', { examples: [{ namespace: 'default' }] }),
  result: described(anything(), 'As the server sent it. Null: there is none.', {
    examples: [{ content: [{ type: 'text', text: 'web  Running' }] }],
  }),
  error: described(anything(), 'The JSON-RPC error. Null: there is none.', { examples: [null] }),
  isError: described(
    z.boolean(),
    'A tool said so in its result, there is an error, or the answer is malformed.',
  ),
  malformed: optional(text(), 'What is wrong with the shape of the answer.', {
    examples: ['content is missing'],
  }),
  suspectedError: optional(
    text(),
    'The line with which the result looks like an error, although it is not marked as one.',
    { examples: ['Database error: no such table: product'] },
  ),
  blocked: described(z.boolean(), 'The MCP config does not allow it: it reached no server.'),
  blockedBy: optional(text(), 'The setting that blocked it.', {
    examples: ['alwaysAllow of kubernetes in mcp-config.yaml'],
  }),
  cancelled: optional(z.literal(true), 'The agent called it off.'),
  unfinished: optional(z.literal(true), 'It had no answer when the task run ended.'),
  retries: optional(count(), 'How often the agent answered `input_required`.', { examples: [1] }),
  startedAt: described(
    z.nullable(text()),
    'Wall time, ISO 8601. Null: other results did not tell.',
    { examples: ['2026-01-31T12:00:01.000Z'] },
  ),
  durationMs: described(
    z.nullable(z.number().check(z.minimum(0), z.maximum(maxDurationMs))),
    'How long it took. Null: other results did not tell.',
    { examples: [12.5] },
  ),
  tokens: described(
    z.nullable(
      z.object({
        args: described(count(), 'Of the arguments.', { examples: [12] }),
        result: described(count(), 'Of the result.', { examples: [240] }),
      }),
    ),
    'Tokens (cl100k_base). Null: they were not counted.',
  ),
});
