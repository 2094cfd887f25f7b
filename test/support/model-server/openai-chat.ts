import { inPieces, type ModelApi, type Reply, type StreamEvent, textOf } from './model-api.js';

interface Body {
  model: string;
  stream?: boolean;
  messages: {
    role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
    content?: string | { text?: string }[] | null;
    tool_call_id?: string;
  }[];
  tools?: { function: { name: string; description?: string; parameters?: unknown } }[];
}

/** POST /v1/chat/completions */
export const openaiChat: ModelApi = {
  name: 'openai-chat',

  accepts: (path) => path.endsWith('/chat/completions'),

  read(text) {
    const body: Body = JSON.parse(text);
    const spoken = body.messages.filter(({ role }) => role !== 'tool');
    return {
      model: body.model,
      isStream: body.stream ?? false,
      messages: spoken.map(({ role, content }) => ({
        role: role === 'user' || role === 'assistant' ? role : 'system',
        text: textOf(content),
      })),
      tools: (body.tools ?? []).map(({ function: { name, description = '', parameters } }) => ({
        name,
        description,
        schema: parameters,
      })),
      toolResults: body.messages
        .filter(({ role }) => role === 'tool')
        .map(({ tool_call_id = '', content }) => ({ id: tool_call_id, text: textOf(content) })),
      round: spoken.filter(({ role }) => role === 'assistant').length,
    };
  },

  answer(reply) {
    const { text, thinking, toolCalls } = reply;
    const message = {
      role: 'assistant',
      content: text === '' && toolCalls.length > 0 ? null : text,
      ...(thinking !== '' && { reasoning_content: thinking }),
      ...(toolCalls.length > 0 && { tool_calls: toolCallsOf(reply) }),
    };
    return {
      ...head(reply, 'chat.completion'),
      choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
      usage: usageOf(reply),
    };
  },

  events(reply) {
    const chunk = (delta: object, finish: string | null = null): StreamEvent => ({
      data: {
        ...head(reply, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    });
    return [
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(reply.thinking).map((piece) => chunk({ reasoning_content: piece })),
      ...inPieces(reply.text).map((piece) => chunk({ content: piece })),
      ...toolCallsOf(reply).flatMap(({ index, id, type, function: { name, arguments: args } }) => [
        chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
        ...inPieces(args).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finishReason(reply)),
      { data: { ...head(reply, 'chat.completion.chunk'), choices: [], usage: usageOf(reply) } },
      { data: '[DONE]' },
    ];
  },

  error: (status, message) => ({
    error: { message, type: status === 429 ? 'rate_limit_error' : 'error', code: null },
  }),
};

function head({ number, model }: Reply, object: string) {
  return { id: `chatcmpl-${number}`, object, created: 1_700_000_000, model };
}

function toolCallsOf({ toolCalls }: Reply) {
  return toolCalls.map(({ id, tool, args }, index) => ({
    index,
    id,
    type: 'function',
    function: { name: tool.name, arguments: args },
  }));
}

function finishReason({ toolCalls }: Reply) {
  return toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function usageOf({ usage: { input, output, cached, cacheWrite, reasoning } }: Reply) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: cacheWrite },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
