import type { Party, ServerLog } from '../record/server-log.js';
import type { Connection } from './connection.js';
import type { Peer } from './peer.js';
import type { PostReply } from './post-reply.js';

/** Who sent a request of the stateless era: nobody but the request itself. */
export class StatelessPeer implements Peer {
  readonly isSession = false;
  readonly log: ServerLog;
  readonly party: Party;
  readonly connection: Connection;
  #reply: PostReply | undefined;

  constructor(log: ServerLog, party: Party, connection: Connection) {
    this.log = log;
    this.party = party;
    this.connection = connection;
  }

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
