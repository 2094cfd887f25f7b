import {
  inPieces,
  type ModelApi,
  type OfferedTool,
  type Reply,
  type ReplyToolCall,
  type StreamEvent,
  textOf,
} from './model-api.js';

interface Item {
  type?: string;
  role?: 'system' | 'developer' | 'user' | 'assistant';
  content?: string | { text?: string }[];
  call_id?: string;
  output?: string | { text?: string }[];
}

interface ToolData {
  type: string;
  name?: string;
  description?: string;
  parameters?: unknown;
  /** Of a namespace. */
  tools?: ToolData[];
}

interface Body {
  model: string;
  stream?: boolean;
  instructions?: string;
  input: string | Item[];
  tools?: ToolData[];
}

/** POST /v1/responses */
export const openaiResponses: ModelApi = {
  name: 'openai-responses',

  accepts: (path) => /\/responses(\?|$)/.test(path),

  read(text) {
    const body: Body = JSON.parse(text);
    const items = typeof body.input === 'string' ? [userItem(body.input)] : body.input;
    const spoken = items.flatMap(({ role, content }) => {
      if (role === undefined) return [];
      return { role: role === 'developer' ? 'system' : role, text: textOf(content) } as const;
    });
    return {
      model: body.model,
      isStream: body.stream ?? false,
      messages: [{ role: 'system' as const, text: body.instructions ?? '' }, ...spoken].filter(
        (message) => message.text !== '',
      ),
      tools: (body.tools ?? []).flatMap((tool) => offeredTools(tool)),
      toolResults: items
        .filter(({ type }) => type === 'function_call_output')
        .map(({ call_id = '', output }) => ({ id: call_id, text: textOf(output) })),
      round: countRounds(items),
    };
  },

  answer(reply) {
    return response(reply, 'completed');
  },

  events(reply) {
    const all: StreamEvent[] = [];
    const send = (type: string, data: object) => {
      all.push({ event: type, data: { type, sequence_number: all.length, ...data } });
    };
    send('response.created', { response: response(reply, 'in_progress') });
    outputItems(reply).forEach(({ item, empty, parts }, output_index) => {
      const at = { item_id: item.id, output_index };
      send('response.output_item.added', { output_index, item: { ...item, ...empty } });
      for (const { type, data } of parts) send(type, { ...at, ...data });
      send('response.output_item.done', { output_index, item });
    });
    send('response.completed', { response: response(reply, 'completed') });
    return all;
  },

  error: (status, message) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'error', code: null },
  }),
};

function userItem(content: string): Item {
  return { type: 'message', role: 'user', content };
}

function offeredTools(tool: ToolData, namespace?: string): OfferedTool[] {
  const { type, name = type, description = '', parameters, tools } = tool;
  if (type === 'namespace') return (tools ?? []).flatMap((inner) => offeredTools(inner, name));
  if (namespace === undefined) return [{ name, description, schema: parameters }];
  return [{ name: `${namespace}__${name}`, namespace, description, schema: parameters }];
}

/** An answer's calls may have results between them (their ids tell), its text stands before them. */
function countRounds(items: Item[]): number {
  const withCalls = items
    .filter(({ type }) => type === 'function_call')
    .map(({ call_id }) => call_id?.split('_')[1]);
  const withTextAlone = items.filter(
    ({ role }, index) => role === 'assistant' && items[index + 1]?.type !== 'function_call',
  );
  return new Set(withCalls).size + withTextAlone.length;
}

/** An item of the answer; in a stream it begins empty and comes in parts. */
interface OutputItem {
  item: { id: string };
  empty: object;
  parts: { type: string; data: object }[];
}

function outputItems({ number, thinking, text, toolCalls }: Reply): OutputItem[] {
  return [
    ...(thinking === '' ? [] : [thinkingItem(`rs_${number}`, thinking)]),
    ...(text === '' ? [] : [messageItem(`msg_${number}`, text)]),
    ...toolCalls.map(callItem),
  ];
}

function thinkingItem(id: string, text: string): OutputItem {
  const part = { type: 'summary_text', text };
  const at = { summary_index: 0 };
  const type = 'response.reasoning_summary';
  return {
    item: { id, ...{ type: 'reasoning', summary: [part] } },
    empty: { summary: [] },
    parts: [
      { type: `${type}_part.added`, data: { ...at, part: { ...part, text: '' } } },
      ...inPieces(text).map((delta) => ({ type: `${type}_text.delta`, data: { ...at, delta } })),
      { type: `${type}_part.done`, data: { ...at, part } },
    ],
  };
}

function messageItem(id: string, text: string): OutputItem {
  const part = { type: 'output_text', text, annotations: [] };
  const at = { content_index: 0 };
  const deltas = inPieces(text).map((delta) => ({ ...at, delta }));
  const message = { type: 'message', role: 'assistant', status: 'completed', content: [part] };
  return {
    item: { id, ...message },
    empty: { content: [], status: 'in_progress' },
    parts: [
      { type: 'response.content_part.added', data: { ...at, part: { ...part, text: '' } } },
      ...deltas.map((data) => ({ type: 'response.output_text.delta', data })),
      { type: 'response.output_text.done', data: { ...at, text } },
      { type: 'response.content_part.done', data: { ...at, part } },
    ],
  };
}

function callItem({ id, tool, args }: ReplyToolCall): OutputItem {
  const call = { type: 'function_call', status: 'completed', call_id: id, ...nameOf(tool) };
  const type = 'response.function_call_arguments';
  return {
    item: { id: `fc_${id}`, ...call, ...{ arguments: args } },
    empty: { arguments: '', status: 'in_progress' },
    parts: [
      ...inPieces(args).map((delta) => ({ type: `${type}.delta`, data: { delta } })),
      { type: `${type}.done`, data: { arguments: args } },
    ],
  };
}

function nameOf({ name, namespace }: OfferedTool) {
  return namespace === undefined ? { name } : { name: name.slice(namespace.length + 2), namespace };
}

function response(reply: Reply, status: 'in_progress' | 'completed') {
  const { input, output, cached, cacheWrite, reasoning } = reply.usage;
  const isDone = status === 'completed';
  return {
    id: `resp_${reply.number}`,
    object: 'response',
    created_at: 1_700_000_000,
    status,
    error: null,
    incomplete_details: null,
    model: reply.model,
    output: isDone ? outputItems(reply).map(({ item }) => item) : [],
    usage: isDone
      ? {
          input_tokens: input,
          input_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
          output_tokens: output,
          output_tokens_details: { reasoning_tokens: reasoning },
          total_tokens: input + output,
        }
      : null,
  };
}
