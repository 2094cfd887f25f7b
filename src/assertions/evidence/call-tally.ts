import { plural } from '../../base/text.js';
import type { AgentCall } from '../check.js';
import { callName } from '../wording/call-name.js';
import { enumeration } from '../wording/enumeration.js';
import type { Redact } from '../wording/short-text.js';

/** An agent may make up as many names as it likes. */
const mostNames = 50;
const mostShown = 6;

interface Entry {
  text: string;
  count: number;
  first: number;
}

/** What was called how often, by name. */
export class CallTally {
  count = 0;
  readonly #entries = new Map<string, Entry>();
  readonly #redact: Redact;
  #isOverflown = false;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  add(call: AgentCall): void {
    this.count++;
    const text = `${callName(call, this.#redact)}${call.blocked ? ' (blocked)' : ''}`;
    const entry = this.#entries.get(text);
    if (entry) {
      entry.count++;
      entry.first = Math.min(entry.first, call.call);
    } else if (this.#entries.size < mostNames) {
      this.#entries.set(text, { text, count: 1, first: call.call });
    } else {
      this.#isOverflown = true;
    }
  }

  /** `docs.search (2x) and docs.read`: the most frequent ones first, then in order of arrival. */
  get text(): string {
    // Which names were kept depends on the order in which calls were seen; a verdict must not.
    if (this.#isOverflown) return `more than ${mostNames} names in ${plural(this.count, 'call')}`;
    const entries = [...this.#entries.values()].sort(
      (left, right) => right.count - left.count || left.first - right.first,
    );
    const texts = entries.map(({ text, count }) => (count === 1 ? text : `${text} (${count}x)`));
    return enumeration(texts, texts.length, mostShown);
  }
}
