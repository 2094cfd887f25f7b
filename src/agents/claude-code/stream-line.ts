import * as z from 'zod/mini';

/** A field that is missing, or is not what it should be, is not there: the rest is still of use. */
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

/** A line of stream-json, as far as it is of interest; its type decides which fields there are. */
const streamLineSchema = z.object({
  type: z.string(),
  subtype: text,
  // Of the first line.
  model: text,
  mcp_servers: list(z.object({ name: text, status: text })),
  // Of what the model and the tools say.
  message: field(z.object({ model: text, content: list(contentBlock) })),
  // Of a request that is sent again.
  attempt: number,
  max_retries: number,
  error: text,
  error_status: number,
  // Of the last line.
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

/** Undefined for what is no line of the stream. */
export function readStreamLine(line: string): StreamLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  return streamLineSchema.safeParse(value).data;
}
