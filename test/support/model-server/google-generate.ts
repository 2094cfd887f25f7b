import { inPieces, type ModelApi, type Reply, textOf } from './model-api.js';

interface Part {
  text?: string;
  thought?: boolean;
  functionResponse?: { id?: string; name: string; response: unknown };
}

interface Body {
  systemInstruction?: { parts: Part[] };
  contents: { role?: 'user' | 'model' | 'function'; parts: Part[] }[];
  tools?: {
    functionDeclarations?: {
      name: string;
      description?: string;
      parameters?: unknown;
      parametersJsonSchema?: unknown;
    }[];
  }[];
}

const address = /\/models\/([^/:]+):(generateContent|streamGenerateContent)/;

/** POST /v1beta/models/M:generateContent, and :streamGenerateContent?alt=sse */
export const googleGenerate: ModelApi = {
  name: 'google',

  accepts: (path) => address.test(path),

  read(text, path) {
    const body: Body = JSON.parse(text);
    const [, model = '', operation] = address.exec(path) ?? [];
    const system = { role: 'system' as const, text: textOf(body.systemInstruction?.parts) };
    const spoken = body.contents.map(({ role, parts }) => ({
      role: role === 'model' ? ('assistant' as const) : ('user' as const),
      text: textOf(parts),
    }));
    return {
      model: decodeURIComponent(model),
      isStream: operation === 'streamGenerateContent',
      messages: [system, ...spoken].filter((message) => message.text !== ''),
      tools: (body.tools ?? [])
        .flatMap(({ functionDeclarations = [] }) => functionDeclarations)
        .map(({ name, description = '', parameters, parametersJsonSchema }) => ({
          name,
          description,
          schema: parametersJsonSchema ?? parameters,
        })),
      toolResults: body.contents
        .flatMap(({ parts }) => parts)
        .flatMap(({ functionResponse }) => functionResponse ?? [])
        .map(({ id, name, response }) => ({ id: id ?? name, text: JSON.stringify(response) })),
      round: body.contents.filter(({ role }) => role === 'model').length,
    };
  },

  answer(reply) {
    return chunk(reply, [...textParts(reply, whole), ...callParts(reply)], 'STOP');
  },

  events(reply) {
    const texts = textParts(reply, inPieces).map((part) => ({ data: chunk(reply, [part]) }));
    return [...texts, { data: chunk(reply, callParts(reply), 'STOP') }];
  },

  error: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' },
  }),
};

function whole(text: string): string[] {
  return text === '' ? [] : [text];
}

function textParts({ thinking, text }: Reply, cut: (text: string) => string[]): object[] {
  return [
    ...cut(thinking).map((piece) => ({ text: piece, thought: true })),
    ...cut(text).map((piece) => ({ text: piece })),
  ];
}

function callParts({ toolCalls }: Reply): object[] {
  return toolCalls.map(({ id, tool, args }) => ({
    functionCall: { id, name: tool.name, args: JSON.parse(args) },
  }));
}

function chunk(reply: Reply, parts: object[], finishReason?: string) {
  const { input, output, cached, reasoning } = reply.usage;
  const usageMetadata = {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    cachedContentTokenCount: cached,
    totalTokenCount: input + output,
  };
  return {
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason }],
    usageMetadata,
    modelVersion: reply.model,
    responseId: `response-${reply.number}`,
  };
}
