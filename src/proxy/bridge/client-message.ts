import { type Message, readMessages } from '../message.js';

/** What the client wrote on one line. */
export interface ClientMessage {
  /** Sent as it is: writing it anew could change large numbers and the order of keys. */
  text: string;
  /** Not of a batch (revision 2025-03-26), nor of what is no JSON-RPC and for the server to refuse. */
  single?: Message;
  /** Those that somebody waits for an answer to. */
  requests: Message[];
}

/** Throws SyntaxError for what is not JSON. */
export function readClientMessage(text: string): ClientMessage {
  const messages = readMessages(text);
  if (messages === undefined) {
    JSON.parse(text);
    return { text, requests: [] };
  }
  const requests = messages.list.filter(({ kind }) => kind === 'request');
  const [single] = messages.list;
  return { text, requests, ...(!messages.isBatch && single && { single }) };
}
