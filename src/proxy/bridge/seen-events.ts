import { createHash } from 'node:crypto';
import type { StreamEvent } from '../event-stream.js';

/** As many as a server may plausibly send again. */
const maxEvents = 10_000;

/**
 * Remembers the events of all streams, as some servers replay those of other streams too. The text
 * counts beside the id: other servers start counting anew on every stream, though ids should be
 * unique, and none of their messages may get lost.
 */
export class SeenEvents {
  readonly #keys = new Set<string>();

  has(event: StreamEvent): boolean {
    const key = keyOf(event);
    return key !== undefined && this.#keys.has(key);
  }

  add(event: StreamEvent): void {
    const key = keyOf(event);
    if (key === undefined) return;
    this.#keys.add(key);
    if (this.#keys.size <= maxEvents) return;
    for (const oldest of this.#keys) {
      this.#keys.delete(oldest);
      break;
    }
  }
}

function keyOf({ id, data }: StreamEvent): string | undefined {
  if (id === undefined || id === '') return undefined;
  return `${id} ${createHash('sha256').update(data).digest('base64')}`;
}
