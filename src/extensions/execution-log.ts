import { asRecord, asString, stringifyBounded } from '../base/json.js';
import { truncate } from '../base/text.js';

interface LogLine {
  level: string;
  message: string;
}

const maxLines = 200;
/** In characters. */
const maxLength = 2 * 1024;
const maxLevelLength = 20;
const maxDataLength = 64 * 1024;

/** What an extension logged while one execution was under way: the first lines. */
export class ExecutionLog {
  readonly #redact: (text: string) => string;
  readonly #lines: LogLine[] = [];
  #leftOut = 0;

  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** Takes what came with a `log` notification. */
  add(params: unknown): void {
    if (this.#lines.length >= maxLines) {
      this.#leftOut += 1;
      return;
    }
    const { level, message, data } = asRecord(params);
    const json =
      Object.keys(asRecord(data)).length > 0 ? stringifyBounded(data, maxDataLength) : undefined;
    const text = [asString(message), json].filter((part) => part !== undefined).join(' ');
    this.#lines.push({
      level: truncate(this.#redact(asString(level) ?? 'info'), maxLevelLength),
      message: truncate(this.#redact(text), maxLength),
    });
  }

  get lines(): LogLine[] {
    if (this.#leftOut === 0) return [...this.#lines];
    const rest = `${this.#leftOut} more lines of the log are left out here`;
    return [...this.#lines, { level: 'info', message: rest }];
  }
}
