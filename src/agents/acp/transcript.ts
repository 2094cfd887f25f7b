import { asRecord, asString } from '../../base/json.js';
import { copyStart } from '../../base/json-rpc-peer.js';
import { truncate } from '../../base/text.js';
import type { AgentStep } from '../../journal/step-events.js';
import { ToolCall } from './tool-call.js';

/** Lengths are in characters. */
const maxMessageLength = 1024 * 1024;
const maxIdLength = 500;
/** How many calls are remembered: agents sometimes send updates of a call after it has ended. */
const maxRememberedCalls = 200;

/** Turns the updates of a session into agent steps, and keeps the agent's answer. */
export class Transcript {
  readonly #steps: StepBudget;
  readonly #calls = new Map<string, ToolCall>();
  readonly #reported = new WeakSet<ToolCall>();
  /** The message or thought whose chunks are still coming. */
  #piece: { kind: 'message' | 'thinking'; text: BoundedText } | undefined;
  /** The agent's text since its last tool call. */
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

  /** Takes the `update` of a session/update; unknown kinds are ignored. */
  update(update: Record<string, unknown>): void {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        this.#addMessage(update);
        break;
      case 'agent_thought_chunk':
        this.#addPiece('thinking', readChunkText(update));
        break;
      case 'tool_call':
      case 'tool_call_update':
        this.#updateCall(update);
        break;
    }
  }

  /**
   * Returns the call that a permission request is about. The data of the request counts; earlier
   * updates of the call count only if the request does not name a tool.
   */
  takePermissionRequest(data: Record<string, unknown>): ToolCall {
    const call = this.#updateCall(data);
    this.#reportCall(call);
    const asked = new ToolCall(call.id);
    asked.update(data);
    return asked.isNamed ? asked : call;
  }

  /** Reports everything that is still open. */
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
    const text = readChunkText(update);
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
    const id = copyStart(asString(data.toolCallId) ?? '', maxIdLength);
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
    if (oldest && this.#calls.size >= maxRememberedCalls) {
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

function readChunkText({ content }: Record<string, unknown>): string {
  return asString(asRecord(content).text) ?? '';
}

/** Collects chunks of a text, up to a maximum length. */
class BoundedText {
  readonly #maxLength: number;
  #text = '';
  #isBlank = true;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  get isBlank(): boolean {
    return this.#isBlank;
  }

  get text(): string {
    return truncate(this.#text, this.#maxLength);
  }

  add(piece: string): void {
    // One character more than allowed shows that the text was longer.
    const kept = piece.slice(0, Math.max(0, this.#maxLength + 1 - this.#text.length));
    this.#text += kept;
    this.#isBlank &&= kept.trim() === '';
  }
}

const maxReportedSteps = 10_000;
/** Length of all reported texts, in characters. */
const maxReportedLength = 32 * 1024 * 1024;

/** Passes on steps up to a limit that no ordinary agent reaches, so that a flood cannot fill the journal. */
class StepBudget {
  readonly #report: (step: AgentStep) => void;
  #steps = 0;
  #length = 0;

  constructor(report: (step: AgentStep) => void) {
    this.#report = report;
  }

  report(step: AgentStep): void {
    // Assertions depend on the calls, so none is dropped.
    if (step.kind === 'tool-call') {
      this.#report(step);
      return;
    }
    if (this.#isSpent) return;
    this.#steps++;
    this.#length += step.text.length;
    this.#report(step);
    if (this.#isSpent) {
      this.#report({
        kind: 'log',
        text: 'The agent reported more than is kept; the rest is left out.',
      });
    }
  }

  get #isSpent(): boolean {
    return this.#steps >= maxReportedSteps || this.#length >= maxReportedLength;
  }
}
