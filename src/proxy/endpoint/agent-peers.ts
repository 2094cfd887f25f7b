import { randomUUID } from 'node:crypto';
import type { Party, ServerLog } from '../record/traffic-log.js';
import type { Connection } from './connection.js';
import type { EventStreamWriter, PostReply } from './http-reply.js';
import { type Exchange, isHarness, type Peer } from './peer.js';

/** What waits for an agent that has no stream open: then the oldest is dropped. */
const maxWaitingMessages = 1000;
const maxWaitingLength = 4 * 1024 * 1024;

/** What a session and a request that stands alone have in common. */
abstract class AgentPeer {
  readonly log: ServerLog;
  readonly party: Party;
  readonly connection: Connection;

  constructor(log: ServerLog, party: Party, connection: Connection) {
    this.log = log;
    this.party = party;
    this.connection = connection;
  }
}

/** An agent's session with a server (revisions up to 2025-11-25). */
export class Session extends AgentPeer implements Peer {
  readonly id = randomUUID();
  readonly isSession = true;
  /** The stream that the agent opened by GET. */
  stream: EventStreamWriter | undefined;
  readonly #replies = new Set<PostReply>();
  #waiting: string[] = [];
  #waitingLength = 0;

  /** A reply is a way to the agent while it is open. */
  replyOpened(reply: PostReply): void {
    this.#replies.add(reply);
    // An agent that never opens a stream by GET gets here what came in the meantime.
    if (!this.stream?.isOpen && this.#waiting.length > 0)
      this.#flush((text) => reply.deliver(text));
  }

  replyClosed(reply: PostReply): void {
    this.#replies.delete(reply);
  }

  streamOpened(stream: EventStreamWriter): void {
    this.stream = stream;
    this.#flush((text) => {
      stream.send(text);
      return true;
    });
  }

  /**
   * Messages keep their order best on the stream of the request they belong to: an answer that
   * comes after them must not overtake them on another connection.
   */
  deliver(text: string, about?: Exchange): boolean {
    if (about?.deliver(text)) return true;
    const replies = [...this.#replies];
    if (replies.length === 1 && replies[0]?.deliver(text)) return true;
    if (this.stream?.isOpen) this.stream.send(text);
    else if (!replies.some((reply) => reply.deliver(text))) this.#keep(text);
    return true;
  }

  end(): void {
    this.stream?.end();
    this.connection.leave(this);
  }

  #keep(text: string): void {
    // A step looks at nothing but answers.
    if (isHarness(this)) return;
    this.#waiting.push(text);
    this.#waitingLength += text.length;
    while (
      this.#waiting.length > maxWaitingMessages ||
      (this.#waitingLength > maxWaitingLength && this.#waiting.length > 1)
    ) {
      const dropped = this.#waiting.shift() ?? '';
      this.#waitingLength -= dropped.length;
      const message = 'a message of the server was dropped: the agent has no stream open for it';
      this.log.warn('undeliverable-message', message, dropped);
    }
  }

  #flush(send: (text: string) => boolean): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingLength = 0;
    const failed = waiting.filter((text) => !send(text));
    for (const text of failed) this.#keep(text);
  }
}

/** The peer of one request of the stateless era: it lives as long as the request. */
export class StatelessPeer extends AgentPeer implements Peer {
  readonly isSession = false;
  #reply: PostReply | undefined;

  replyOpened(reply: PostReply): void {
    this.#reply = reply;
  }

  replyClosed(): void {
    this.#reply = undefined;
  }

  deliver(text: string): boolean {
    if (this.#reply?.deliver(text)) return true;
    const message = 'a message of the server was dropped: its request is over';
    this.log.warn('undeliverable-message', message, text);
    return false;
  }
}
