import type { Warning } from '../../events/traffic-events.js';
import { beginningOf } from './text-parts.js';

/** Warnings of one kind about one server: the first one, and how many there were. */
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

  add({ code, server, message }: Warning): void {
    const known = this.#kinds.get(keyOf({ code, server }));
    if (known) known.count++;
    else if (this.#kinds.size < maxKinds) {
      this.#kinds.set(keyOf({ code, server }), {
        ...(server === undefined ? {} : { server }),
        message: beginningOf(message, maxMessage),
        count: 1,
      });
    }
  }

  countOf(warning: Pick<Warning, 'code' | 'server'>): number {
    return this.#kinds.get(keyOf(warning))?.count ?? 0;
  }
}

function keyOf({ code, server }: { code: string; server?: string | undefined }): string {
  return JSON.stringify([code, server]);
}
