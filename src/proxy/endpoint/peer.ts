import { type Message, readIdText } from '../../mcp/message.js';
import type { OpenRequest, Party, ServerLog } from '../record/traffic-log.js';

/** Takes the answer to one request, and what the server says while it works on it. */
export interface Exchange {
  /** The answer to a request; the text carries the agent's own id. */
  answer(text: string): void;
  /** Another message that belongs to it; false if it cannot go this way. */
  deliver(text: string): boolean;
  /** The server ended it without an answer. */
  end(): void;
}

/** A user of a connection to a server: a session, or a request that stands alone. */
export interface Peer {
  readonly log: ServerLog;
  readonly party: Party;
  /** A session stays when its requests are done, and gets what concerns all sessions. */
  readonly isSession: boolean;
  /**
   * Hands over what the server says on its own; `about` is the request it belongs to, if known. False:
   * it can never arrive.
   */
  deliver(text: string, about?: Exchange): boolean;
}

/** Whether a peer is one of our own steps: between its calls it neither reads nor answers. */
export function isHarness({ party }: Peer): boolean {
  return party.by === 'harness';
}

/** A request of the agent that is with the server. */
export interface PendingRequest {
  peer: Peer;
  exchange: Exchange;
  /** The id the agent gave it, as JSON text. */
  id: string;
  method: string;
  record: OpenRequest;
}

export function makePendingRequest(
  message: Message,
  peer: Peer,
  exchange: Exchange,
  record: OpenRequest,
): PendingRequest {
  return { peer, exchange, id: readIdText(message), method: message.method, record };
}
