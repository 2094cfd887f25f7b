import { inPieces, type ModelApi, type Reply, type StreamEvent, textOf } from './model-api.js';

interface Block {
  type: string;
  text?: string;
  tool_use_id?: string;
  content?: string | Block[];
  is_error?: boolean;
}

interface Body {
  model: string;
  stream?: boolean;
  system?: string | Block[];
  messages: { role: 'user' | 'assistant'; content: string | Block[] }[];
  tools?: { name: string; description?: string; input_schema?: unknown }[];
}

/** POST /v1/messages */
export const anthropicMessages: ModelApi = {
  name: 'anthropic',

  accepts: (path) => /\/messages(\?|$)/.test(path),

  read(text) {
    const body: Body = JSON.parse(text);
    const system = { role: 'system' as const, text: textOf(body.system) };
    const spoken = body.messages.map(({ role, content }) => ({
      role,
      text: textOf(blocksOf(content).filter(({ type }) => type === 'text')),
    }));
    return {
      model: body.model,
      isStream: body.stream ?? false,
      messages: [system, ...spoken].filter((message) => message.text !== ''),
      tools: (body.tools ?? []).map(({ name, description = '', input_schema }) => ({
        name,
        description,
        schema: input_schema,
      })),
      toolResults: body.messages
        .flatMap(({ content }) => blocksOf(content))
        .filter(({ type }) => type === 'tool_result')
        .map(({ tool_use_id = '', content, is_error = false }) => ({
          id: tool_use_id,
          text: textOf(content),
          isError: is_error,
        })),
      round: body.messages.filter(({ role }) => role === 'assistant').length,
    };
  },

  answer(reply) {
    return {
      ...head(reply),
      content: blocks(reply).map(({ whole }) => whole()),
      stop_reason: stopReason(reply),
      usage: usageOf(reply),
    };
  },

  events(reply) {
    const { input_tokens, cache_read_input_tokens, output_tokens } = usageOf(reply);
    const usage = { input_tokens, cache_read_input_tokens, output_tokens: 1 };
    return [
      event('message_start', { message: { ...head(reply), content: [], usage } }),
      ...blocks(reply).flatMap(({ start, deltas }, index) => [
        event('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => event('content_block_delta', { index, delta })),
        event('content_block_stop', { index }),
      ]),
      event('message_delta', {
        delta: { stop_reason: stopReason(reply), stop_sequence: null },
        usage: { output_tokens },
      }),
      event('message_stop', {}),
    ];
  },

  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
};

function blocksOf(content: string | Block[]): Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

function event(type: string, data: object): StreamEvent {
  return { event: type, data: { type, ...data } };
}

function head({ number, model }: Reply) {
  return {
    id: `msg_${number}`,
    type: 'message',
    role: 'assistant',
    model,
    stop_reason: null as string | null,
    stop_sequence: null,
  };
}

/** A block of the answer: how it begins and goes on in a stream, and as a whole. */
interface AnswerBlock {
  start: object;
  deltas: object[];
  /** Called for an answer in one piece only: broken arguments cannot stand in one. */
  whole(): object;
}

function blocks({ thinking, text, toolCalls }: Reply): AnswerBlock[] {
  const all: AnswerBlock[] = [];
  if (thinking !== '') {
    const signature = 'c2lnbmF0dXJl';
    all.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...inPieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature },
      ],
      whole: () => ({ type: 'thinking', thinking, signature }),
    });
  }
  if (text !== '') {
    all.push({
      start: { type: 'text', text: '' },
      deltas: inPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      whole: () => ({ type: 'text', text }),
    });
  }
  for (const { id, tool, args } of toolCalls) {
    const call = { type: 'tool_use', id, name: tool.name };
    all.push({
      start: { ...call, input: {} },
      deltas: inPieces(args).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      whole: () => ({ ...call, input: JSON.parse(args) }),
    });
  }
  return all;
}

function stopReason({ toolCalls }: Reply) {
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

/** What came from a cache or went into it is not part of the input here. */
function usageOf({ usage: { input, output, cached, cacheWrite } }: Reply) {
  return {
    input_tokens: input - cached - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

function errorType(status: number): string {
  const types: Record<number, string> = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    429: 'rate_limit_error',
    529: 'overloaded_error',
  };
  return types[status] ?? 'api_error';
}
