import { BoundedMap } from '../bounded-map.js';
import type { Exchange, Peer } from './peer.js';

interface ProgressToken {
  owner: Peer;
  exchange: Exchange;
  /** As the owner wrote it: JSON text. */
  original: string;
}

/**
 * Whose progress it is that a server tells. Agents choose tokens on their own, mostly 0, 1, 2: on a
 * connection that several share, one that another already used is replaced on the way.
 */
export class ProgressTokens {
  /** Also those of requests that have ended: a task goes on, and progress may come late. */
  readonly #tokens = new BoundedMap<string, ProgressToken>(10_000);
  #replaced = 0;

  /** The token, as JSON text, under which the server gets to see this one. */
  assign(original: string, owner: Peer, exchange: Exchange): string {
    const known = this.#tokens.get(original);
    const isFree = known === undefined || known.owner === owner;
    const token = isFree ? original : `"progress-${++this.#replaced}"`;
    this.#tokens.set(token, { owner, exchange, original });
    return token;
  }

  find(token: string): ProgressToken | undefined {
    return this.#tokens.get(token);
  }
}
