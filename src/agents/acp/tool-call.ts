import { asArray, asRecord, asString, stringifyIfShort } from '../../base/json.js';
import { copyStart } from '../../base/json-rpc-peer.js';
import { RawJson } from '../../base/json-text.js';
import { truncate } from '../../base/text.js';

/** Limits in characters. The proxy records the calls of MCP tools in full. */
const maxArgsLength = 64 * 1024;
const maxResultLength = 16 * 1024;
const maxNameLength = 500;

/** A tool call as far as the agent has reported it: updates come in pieces. */
export class ToolCall {
  readonly id: string;
  title: string | undefined;
  kind: string | undefined;
  args: RawJson | undefined;
  /** The result as the agent reports it. */
  result = '';
  status: 'open' | 'completed' | 'failed' = 'open';
  readonly #names = new Set<string>();

  constructor(id: string) {
    this.id = id;
    this.#addName(readGeminiName(id));
  }

  /** Names of the tool, in contrast to its title, which is text for people. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  get isNamed(): boolean {
    return this.#names.size > 0 || this.title !== undefined;
  }

  get tool(): string {
    return this.names[0] ?? this.title ?? this.id;
  }

  /** Takes the data of a tool_call, a tool_call_update or a permission request. */
  update(data: Record<string, unknown>): void {
    this.#addName(asString(data.name));
    this.#addName(asString(asRecord(asRecord(data._meta).claudeCode).toolName));
    const title = asString(data.title);
    if (title !== undefined) this.title = copyStart(title, maxNameLength);
    this.kind = asString(data.kind) ?? this.kind;
    const json = isFilled(data.rawInput)
      ? stringifyIfShort(data.rawInput, maxArgsLength)
      : undefined;
    if (json !== undefined) this.args = new RawJson(json);
    if (data.status === 'completed' || data.status === 'failed') {
      this.status = data.status;
      this.result = truncate(copyStart(readResultText(data), 2 * maxResultLength), maxResultLength);
    }
  }

  #addName(name: string | undefined): void {
    if (name !== undefined && this.#names.size < 2) this.#names.add(copyStart(name, maxNameLength));
  }
}

/** gemini puts the name into the id alone; its title may be an argument of the call. */
function readGeminiName(id: string): string | undefined {
  return /^(mcp_.+)(?:__|-\d+-\d+$)/.exec(id)?.[1];
}

/** Whether there are arguments yet: some agents report a call while the model still writes them. */
function isFilled(input: unknown): boolean {
  return Object.keys(asRecord(input)).length > 0;
}

function readResultText({ content, rawOutput }: Record<string, unknown>): string {
  const texts = asArray(content).flatMap((item) => {
    const { text } = asRecord(asRecord(item).content);
    return typeof text === 'string' ? [text] : [];
  });
  if (texts.length > 0) return texts.join('\n');
  return asString(rawOutput) ?? stringifyIfShort(rawOutput, maxResultLength) ?? '';
}
