import { beginningOf, recordOf, textOf } from '../../base/json-rpc/foreign-value.js';
import type { AgentStep } from '../../journal/step-events.js';
import { BoundedText } from './bounded-text.js';
import { StepBudget } from './step-budget.js';
import { ToolCall } from './tool-call.js';

/** In characters. */
const maxMessageLength = 1024 * 1024;
const maxIdLength = 500;
/** Calls that are remembered: agents tell of one now and then after it has ended. */
const maxCalls = 200;

/** What the agent tells of its work while it goes on, as steps; and its answer. */
export class Transcript {
  readonly #steps: StepBudget;
  readonly #calls = new Map<string, ToolCall>();
  readonly #reported = new WeakSet<ToolCall>();
  /** The step that is being told in pieces. */
  #piece: { kind: 'message' | 'thinking'; text: BoundedText } | undefined;
  /** What was said since the last call of a tool. */
  #answer = new BoundedText(maxMessageLength);
  #lastAnswer = '';
  #messageId: unknown;

  constructor(report: (step: AgentStep) => void) {
    this.#steps = new StepBudget(report);
  }

  /** The text of the last message. */
  get output(): string {
    return this.#answer.isBlank ? this.#lastAnswer : this.#answer.text;
  }

  /** Takes the `update` of a session/update; of a kind that it does not know, nothing. */
  update(update: Record<string, unknown>): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#addMessage(update);
        break;
      case 'agent_thought_chunk':
        this.#addPiece('thinking', chunkText(update));
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#updateCall(update);
        break;
    }
  }

  /**
   * The call that a question for permission is about, which is about to begin. What the question
   * says counts; what was told of the call before, only if it says nothing.
   */
  askedAbout(data: Record<string, unknown>): ToolCall {
    const call = this.#updateCall(data);
    this.#reportCall(call);
    const asked = new ToolCall(call.id);
    asked.update(data);
    return asked.isNamed ? asked : call;
  }

  /** Reports what is still open. */
  end(): void {
    this.#endPiece();
    for (const call of this.#calls.values()) this.#reportCall(call);
    this.#calls.clear();
  }

  #addMessage(update: Record<string, unknown>): void {
    const { messageId } = update;
    if (typeof messageId === 'string' && messageId !== this.#messageId) {
      this.#endPiece();
      this.#endAnswer();
      this.#messageId = messageId;
    }
    const text = chunkText(update);
    this.#answer.add(text);
    this.#addPiece('message', text);
  }

  #addPiece(kind: 'message' | 'thinking', text: string): void {
    if (this.#piece?.kind !== kind) this.#endPiece();
    this.#piece ??= { kind, text: new BoundedText(maxMessageLength) };
    this.#piece.text.add(text);
  }

  #endPiece(): void {
    const piece = this.#piece;
    this.#piece = undefined;
    if (piece && !piece.text.isBlank) {
      this.#steps.report({ kind: piece.kind, text: piece.text.text });
    }
  }

  #endAnswer(): void {
    if (!this.#answer.isBlank) this.#lastAnswer = this.#answer.text;
    this.#answer = new BoundedText(maxMessageLength);
  }

  #updateCall(data: Record<string, unknown>): ToolCall {
    const id = beginningOf(textOf(data.toolCallId) ?? '', maxIdLength);
    const known = this.#calls.get(id);
    if (known && known.status !== 'open' && data.sessionUpdate === 'tool_call_update') return known;
    const call = known?.status === 'open' ? known : this.#begin(id);
    call.update(data);
    if (call.args !== undefined || call.status !== 'open') this.#reportCall(call);
    if (call.status !== 'open') this.#endCall(call);
    return call;
  }

  #begin(id: string): ToolCall {
    this.#endPiece();
    this.#endAnswer();
    this.#calls.delete(id);
    const call = new ToolCall(id);
    const [oldest] = this.#calls.values();
    if (oldest && this.#calls.size >= maxCalls) {
      this.#reportCall(oldest);
      this.#calls.delete(oldest.id);
    }
    this.#calls.set(id, call);
    return call;
  }

  #reportCall(call: ToolCall): void {
    if (this.#reported.has(call)) return;
    this.#reported.add(call);
    const { tool, id, args } = call;
    this.#steps.report({ kind: 'tool-call', tool, id, ...(args && { args }) });
  }

  #endCall({ id, status, result }: ToolCall): void {
    this.#steps.report({ kind: 'tool-result', id, isError: status === 'failed', text: result });
  }
}

function chunkText({ content }: Record<string, unknown>): string {
  return textOf(recordOf(content).text) ?? '';
}
