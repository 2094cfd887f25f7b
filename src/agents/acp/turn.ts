import { asRecord } from '../../base/json.js';
import type { PeerHandlers } from '../../base/json-rpc-peer.js';
import type { AgentServer, AgentTask, PermissionDenial } from '../agent.js';
import { outcomeOf } from './permission.js';
import { costOf } from './reported-usage.js';
import { type AmbiguousTools, permissionFor } from './tool-recognition.js';
import { Transcript } from './transcript.js';

const maxDenials = 1000;

/** Our side of the one turn that an agent gets: listens, and answers its questions. */
export class Turn implements PeerHandlers {
  readonly transcript: Transcript;
  readonly denials: PermissionDenial[] = [];
  cost: number | undefined;
  readonly #servers: readonly AgentServer[];
  readonly #signal: AbortSignal;
  readonly #ambiguousTools: AmbiguousTools;
  readonly #log: (line: string) => void;
  #session: string | undefined;

  constructor(
    { servers, signal, report }: AgentTask,
    ambiguousTools: AmbiguousTools,
    log: (line: string) => void,
  ) {
    this.#ambiguousTools = ambiguousTools;
    this.#servers = servers;
    this.#signal = signal;
    this.#log = log;
    this.transcript = new Transcript(report);
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** From now on it listens to this session, and to no other that the agent may have. */
  begin(session: string): void {
    this.#session = session;
  }

  notified(method: string, params: unknown): void {
    const { sessionId, update } = asRecord(params);
    if (method !== 'session/update' || sessionId !== this.#session) return;
    const data = asRecord(update);
    this.cost = costOf(data) ?? this.cost;
    this.transcript.update(data);
  }

  /** The agent works with its own tools: we offer neither files nor terminals. */
  answer(method: string, params: unknown): object | undefined {
    if (method !== 'session/request_permission') return undefined;
    return { outcome: this.#decide(asRecord(params)) };
  }

  noise(line: string): void {
    this.#log(line);
  }

  /**
   * Nobody is there to ask. As in the print mode of Claude Code, the agent may use the MCP tools
   * that it was allowed, and nothing else that it has to ask for.
   */
  #decide(question: Record<string, unknown>): object {
    if (this.#signal.aborted) return { outcome: 'cancelled' };
    const call = this.transcript.askedAbout(asRecord(question.toolCall));
    const permission = permissionFor(call, this.#servers, this.#ambiguousTools);
    const outcome = outcomeOf(question, permission.isAllowed);
    const isDenied = !permission.isAllowed || outcome.outcome === 'cancelled';
    if (isDenied && this.denials.length < maxDenials) {
      const reason = permission.isAllowed ? undefined : permission.reason;
      this.denials.push({ tool: call.tool, ...(reason !== undefined && { reason }) });
    }
    return outcome;
  }
}
