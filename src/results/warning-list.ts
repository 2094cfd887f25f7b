import type { RawJson } from '../base/json-text.js';
import type { JournalEvent } from '../journal/event.js';
import type { Warning } from '../journal/mcp-events.js';
import { jsonArray, jsonObject } from './json-object.js';

/** A server can cause warnings without end; the journal has them all. */
const maxWarnings = 100;

/** The first warnings, and how many there are besides. */
export class WarningList {
  readonly #warnings: RawJson[] = [];
  #more = 0;

  add({ seq, code, message, server, details }: Warning & Pick<JournalEvent, 'seq'>): void {
    if (this.#warnings.length === maxWarnings) this.#more += 1;
    else this.#warnings.push(jsonObject({ seq, code, message, server, details }));
  }

  /** As members of the object that they belong to. */
  get members() {
    return {
      warnings: jsonArray(this.#warnings),
      moreWarnings: this.#more > 0 ? this.#more : undefined,
    };
  }
}
