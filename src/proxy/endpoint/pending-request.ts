import { idText, type Message } from '../message.js';
import type { OpenRequest } from '../record/open-request.js';
import type { Exchange, Peer } from './peer.js';

/** A request of the agent that is with the server. */
export interface PendingRequest {
  peer: Peer;
  exchange: Exchange;
  /** The id the agent gave it, as JSON text. */
  id: string;
  method: string;
  record: OpenRequest;
}

export function pendingRequest(
  message: Message,
  peer: Peer,
  exchange: Exchange,
  record: OpenRequest,
): PendingRequest {
  return { peer, exchange, id: idText(message), method: message.method, record };
}
