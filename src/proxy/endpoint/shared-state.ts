import { BoundedMap } from '../../base/bounded-map.js';
import { readTextAt } from '../../base/json-text.js';
import type { Message } from '../../mcp/message.js';
import { type Exchange, isHarness, type Peer } from './peer.js';

/**
 * The one `initialize` that a shared server gets. Peers that come later get the same result, and
 * peers that come while it is under way wait for it.
 */
export class Handshake {
  /** The peer whose `initialize` the server saw. A step of ours makes room for the agent. */
  initialiser: Peer | undefined;
  /** The server's idea of its client is what one of our steps sent, even if an agent uses it now. */
  isOurs = false;
  /** What the server answered, as JSON text. */
  result: string | undefined;
  #isUnderWay = false;
  #isComplete = false;
  #waiting: (() => void)[] = [];

  /** True if this one is to be sent; otherwise `later` is called when there is news. */
  begin(peer: Peer, later: () => void): boolean {
    if (this.#isUnderWay) {
      this.#waiting.push(later);
      return false;
    }
    this.#isUnderWay = true;
    this.initialiser = peer;
    this.isOurs = isHarness(peer);
    return true;
  }

  /** Adds a peer that got the result of another peer's `initialize`. */
  join(peer: Peer): void {
    if (this.initialiser && isHarness(this.initialiser)) this.initialiser = peer;
  }

  /** True the first time: the server still has to get `notifications/initialized`. */
  complete(): boolean {
    const isFirst = !this.#isComplete;
    this.#isComplete = true;
    return isFirst;
  }

  /** The server's answer, or nothing if there will be none: then the next one may try. */
  end(answer?: Message): void {
    if (!this.#isUnderWay) return;
    this.#isUnderWay = false;
    this.result = answer && readTextAt(answer.text, ['result']);
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const goOn of waiting) goOn();
  }
}

interface ProgressToken {
  owner: Peer;
  exchange: Exchange;
  /** The token as its owner wrote it, as JSON text. */
  original: string;
}

/**
 * Which peer a progress notification is for. Agents choose tokens on their own, mostly 0, 1, 2: on a
 * connection that several share, one that another already used is replaced on the way.
 */
export class ProgressTokens {
  /** Tokens in use, and those of requests that have ended: a task goes on, and progress may come late. */
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

/** Which sessions of a shared connection asked to hear about which resources. */
export class ResourceSubscriptions {
  readonly #subscribers = new Map<string, Set<Peer>>();

  of(uri: unknown): ReadonlySet<Peer> {
    return (typeof uri === 'string' && this.#subscribers.get(uri)) || noPeers;
  }

  /**
   * Notes what a request changes. False if it must not reach the server: others still listen to
   * the resource, and the server knows of one listener only.
   */
  note({ method, params: { uri } }: Message, peer: Peer): boolean {
    if (typeof uri !== 'string') return true;
    if (method === 'resources/subscribe') {
      const subscribers = this.#subscribers.get(uri) ?? new Set();
      this.#subscribers.set(uri, subscribers.add(peer));
    } else if (method === 'resources/unsubscribe') {
      this.#remove(uri, peer);
      return !this.#subscribers.has(uri);
    }
    return true;
  }

  leave(peer: Peer): void {
    for (const uri of this.#subscribers.keys()) this.#remove(uri, peer);
  }

  #remove(uri: string, peer: Peer): void {
    const subscribers = this.#subscribers.get(uri);
    subscribers?.delete(peer);
    if (subscribers?.size === 0) this.#subscribers.delete(uri);
  }
}

const noPeers: ReadonlySet<Peer> = new Set();
