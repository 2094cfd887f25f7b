import type { Pattern } from '../../config/patterns/pattern.js';
import { holdsRedaction } from '../../config/secrets/redactor.js';
import type { AgentCall } from '../check.js';
import { containmentOf, type ValueTest } from './argument-containment.js';
import type { AskedFor } from './asked-for.js';
import { assertedPattern } from './asserted-pattern.js';

/**
 * `other-arguments`: the right thing was called, with arguments that do not contain the expected. `failed`: all
 * is right, but the call failed where only one that did not counts.
 */
export type Fit = 'yes' | 'other-arguments' | 'failed' | 'no';

/** Tells which calls an item of an assertion is about. */
export class ItemMatcher {
  readonly asked: AskedFor;
  readonly #pattern: Pattern | undefined;
  readonly #argsFit: ValueTest | undefined;

  constructor(asked: AskedFor) {
    this.asked = asked;
    this.#pattern = asked.pattern === undefined ? undefined : assertedPattern(asked.pattern);
    this.#argsFit = asked.args === undefined ? undefined : containmentOf(asked.args);
  }

  fit(call: AgentCall): Fit {
    const { kind, server } = this.asked;
    if (call.kind !== kind || call.server !== server || !this.#fitsName(call)) return 'no';
    if (!this.#fitsArgs(call)) return 'other-arguments';
    return this.asked.succeeded && call.isError && !call.blocked ? 'failed' : 'yes';
  }

  /** Last, and only where it matters: a call may have to parse its arguments for it. */
  #fitsArgs(call: AgentCall): boolean {
    if (!this.#argsFit) return true;
    const { args = {} } = call;
    return this.#argsFit(args, call.redacted);
  }

  #fitsName({ name, redacted }: AgentCall): boolean {
    if (this.asked.name === undefined && this.#pattern === undefined) return true;
    if (redacted && holdsRedaction(name)) return redacted === 'fits';
    return name === this.asked.name || (this.#pattern?.test(name) ?? false);
  }
}
