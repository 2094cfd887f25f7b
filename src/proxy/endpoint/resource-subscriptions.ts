import type { Message } from '../message.js';
import type { Peer } from './peer.js';

/** Which sessions of a shared connection asked to hear about which resources. */
export class ResourceSubscriptions {
  readonly #subscribers = new Map<string, Set<Peer>>();

  of(uri: unknown): ReadonlySet<Peer> {
    return (typeof uri === 'string' && this.#subscribers.get(uri)) || nobody;
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

const nobody: ReadonlySet<Peer> = new Set();
