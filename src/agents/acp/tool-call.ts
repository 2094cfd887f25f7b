import {
  beginningOf,
  jsonOf,
  listOf,
  recordOf,
  textOf,
} from '../../base/json-rpc/foreign-value.js';
import { RawJson } from '../../base/json-text.js';
import { truncate } from '../../base/text.js';

/** In characters. The calls of MCP tools are recorded in full elsewhere. */
const maxArgsLength = 64 * 1024;
const maxResultLength = 16 * 1024;
const maxNameLength = 500;

/** A call of a tool, as far as the agent has told about it: it tells in pieces. */
export class ToolCall {
  readonly id: string;
  title: string | undefined;
  kind: string | undefined;
  args: RawJson | undefined;
  /** The agent's own account of the result. */
  result = '';
  status: 'open' | 'completed' | 'failed' = 'open';
  readonly #names = new Set<string>();

  constructor(id: string) {
    this.id = id;
    this.#addName(geminiName(id));
  }

  /** Names of the tool, not texts for people. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  get isNamed(): boolean {
    return this.#names.size > 0 || this.title !== undefined;
  }

  get tool(): string {
    return this.names[0] ?? this.title ?? this.id;
  }

  /** Takes what a tool_call, a tool_call_update or a question for permission says. */
  update(data: Record<string, unknown>): void {
    this.#addName(textOf(data.name));
    this.#addName(textOf(recordOf(recordOf(data._meta).claudeCode).toolName));
    const title = textOf(data.title);
    if (title !== undefined) this.title = beginningOf(title, maxNameLength);
    this.kind = textOf(data.kind) ?? this.kind;
    const json = isFilled(data.rawInput) ? jsonOf(data.rawInput, maxArgsLength) : undefined;
    if (json !== undefined) this.args = new RawJson(json);
    if (data.status === 'completed' || data.status === 'failed') {
      this.status = data.status;
      this.result = truncate(beginningOf(resultText(data), 2 * maxResultLength), maxResultLength);
    }
  }

  #addName(name: string | undefined): void {
    if (name !== undefined && this.#names.size < 2)
      this.#names.add(beginningOf(name, maxNameLength));
  }
}

/** gemini has the name in the id alone; its title may be an argument of the call. */
function geminiName(id: string): string | undefined {
  return /^(mcp_.+)(?:__|-\d+-\d+$)/.exec(id)?.[1];
}

/** Some agents tell of a call while the model still writes its arguments. */
function isFilled(input: unknown): boolean {
  return Object.keys(recordOf(input)).length > 0;
}

function resultText({ content, rawOutput }: Record<string, unknown>): string {
  const texts = listOf(content).flatMap((item) => {
    const { text } = recordOf(recordOf(item).content);
    return typeof text === 'string' ? [text] : [];
  });
  if (texts.length > 0) return texts.join('\n');
  return textOf(rawOutput) ?? jsonOf(rawOutput, maxResultLength) ?? '';
}
