import * as z from 'zod/mini';

/** A field that counts as missing when its type is wrong, so that the rest of the line can still be used. */
function field<Schema extends z.core.$ZodType>(schema: Schema) {
  return z.catch(z.optional(schema), undefined);
}

function list<Schema extends z.core.$ZodType>(item: Schema) {
  return z.catch(z.array(item), []);
}

const text = field(z.string());
const number = field(z.number());
const flag = field(z.boolean());

const tokenCounts = z.object({
  inputTokens: number,
  outputTokens: number,
  cacheReadInputTokens: number,
  cacheCreationInputTokens: number,
});

const usage = z.object({
  input_tokens: number,
  output_tokens: number,
  cache_read_input_tokens: number,
  cache_creation_input_tokens: number,
});

const contentBlock = z.object({
  type: text,
  text,
  thinking: text,
  id: text,
  name: text,
  tool_use_id: text,
  is_error: flag,
  content: z.optional(z.unknown()),
});

/** The fields of a line of stream-json that are used here; its type decides which of them exist. */
const streamLineSchema = z.object({
  type: z.string(),
  subtype: text,
  // In the first line.
  model: text,
  mcp_servers: list(z.object({ name: text, status: text })),
  // In messages of the model and results of tools.
  message: field(z.object({ model: text, content: list(contentBlock) })),
  // When a request is retried.
  attempt: number,
  max_retries: number,
  error: text,
  error_status: number,
  // In the last line.
  is_error: flag,
  result: text,
  errors: list(z.string()),
  permission_denials: list(z.object({ tool_name: text })),
  total_cost_usd: number,
  usage: field(usage),
  modelUsage: field(z.record(z.string(), tokenCounts)),
});

export type StreamLine = z.infer<typeof streamLineSchema>;
export type ContentBlock = z.infer<typeof contentBlock>;

/** Parses a line; undefined if it is not stream-json. */
export function readStreamLine(line: string): StreamLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return streamLineSchema.safeParse(value).data;
}
