import type { Warning } from '../../journal/mcp-events.js';
import { beginningOf } from './text-parts.js';

/** Warnings of one kind about one server, or about one script: the first one, and how many there were. */
export interface CountedWarning {
  server?: string;
  message: string;
  count: number;
}

const maxKinds = 50;
const maxMessage = 500;

/** The same trouble in a hundred task runs is told once. */
export class WarningCounts {
  readonly #kinds = new Map<string, CountedWarning>();

  get all(): CountedWarning[] {
    return [...this.#kinds.values()];
  }

  add(warning: Warning): void {
    const { server, message } = warning;
    const key = keyOf(warning);
    const known = this.#kinds.get(key);
    if (known) known.count++;
    else if (this.#kinds.size < maxKinds) {
      this.#kinds.set(key, {
        ...(server === undefined ? {} : { server }),
        message: beginningOf(message, maxMessage),
        count: 1,
      });
    }
  }

  countOf(warning: Warning): number {
    return this.#kinds.get(keyOf(warning))?.count ?? 0;
  }
}

function keyOf({ code, server, message }: Warning): string {
  return JSON.stringify([code, server, ...(code === 'program-missing' ? [message] : [])]);
}
