/** A model API: how it is asked, and how it answers. One file each. */
export interface ModelApi {
  readonly name: ApiName;
  /** Whether a POST to this path is for it. */
  accepts(path: string): boolean;
  read(body: string, path: string): Question;
  /** The whole answer, for a request that does not stream. */
  answer(reply: Reply): object;
  /** The answer in pieces. */
  events(reply: Reply): StreamEvent[];
  error(status: number, message: string): object;
}

export type ApiName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'google';

/** A request to the model, told the same way for each API. */
export interface Question {
  model: string;
  isStream: boolean;
  /** In their order; the system's instructions too. */
  messages: Message[];
  tools: OfferedTool[];
  toolResults: ToolResult[];
  /** How often the model has spoken in this conversation. */
  round: number;
}

export interface Usage {
  input?: number;
  output?: number;
  /** Part of the input. */
  cached?: number;
  /** Part of the input, apart from what was cached. */
  cacheWrite?: number;
  /** Part of the output. */
  reasoning?: number;
}

export interface OfferedTool {
  name: string;
  /** The name begins with it (openai-responses). */
  namespace?: string;
  description?: string;
  schema?: unknown;
}

export interface Message {
  role: 'system' | 'user' | 'assistant';
  text: string;
}

export interface ToolResult {
  /** Of the call; where the API has none, the name of the tool. */
  id: string;
  text: string;
  /** Where the API can say so. */
  isError?: boolean;
}

/** What the model says, with names and ids that the asking program understands. */
export interface Reply {
  /** Counts the answers of a server. */
  number: number;
  model: string;
  text: string;
  thinking: string;
  toolCalls: ReplyToolCall[];
  usage: Required<Usage>;
}

export interface ReplyToolCall {
  id: string;
  tool: OfferedTool;
  /** JSON, unless the script wants it broken. */
  args: string;
}

export interface StreamEvent {
  event?: string;
  data: object | string;
}

/** In two pieces, so that whoever reads the stream has to put them together. */
export function inPieces(text: string): string[] {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((piece) => piece !== '');
}

type Content = string | null | undefined | { text?: string; type?: string }[];

/** The text of a content that may come in parts. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('');
}
