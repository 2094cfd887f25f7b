import { hash } from 'node:crypto';
import { BoundedMap } from '../base/bounded-map.js';
import type { StreamEvent } from '../mcp/event-stream.js';

/**
 * Remembers the events of all streams, as some servers replay those of other streams too. The text
 * counts beside the id: other servers start counting anew on every stream, though ids should be
 * unique, and none of their messages may get lost.
 */
export class SeenEvents {
  /** Bounded to as many events as a server may plausibly send again. */
  readonly #keys = new BoundedMap<string, true>(10_000);

  /** Whether an event was seen; only one with an id of its own can be replayed. The scope keeps sessions apart. */
  has(event: StreamEvent, scope = ''): boolean {
    return hasOwnId(event) && this.#keys.get(hashEvent(event, scope)) === true;
  }

  add(event: StreamEvent, scope = ''): void {
    if (hasOwnId(event)) this.#keys.set(hashEvent(event, scope), true);
  }
}

/** An empty one takes the id away that events before it had. */
function hasOwnId({ ownId }: StreamEvent): boolean {
  return ownId !== undefined && ownId !== '';
}

/** Hashes an event: a part of the text would keep the whole text in memory. */
function hashEvent({ ownId, data }: StreamEvent, scope: string): string {
  return hash('sha256', `${scope} ${ownId}\n${data}`, 'base64');
}
