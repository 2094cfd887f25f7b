import type { AgentCall, Check, Verdict } from '../check.js';
import { distinctCalls, KeptCalls } from '../evidence/kept-calls.js';
import { jsonFingerprint } from '../matching/json-fingerprint.js';
import { callName } from '../wording/call-name.js';
import { enumeration } from '../wording/enumeration.js';
import { shortJson } from '../wording/short-json.js';
import type { Redact } from '../wording/short-text.js';

type ToolCall = Pick<AgentCall, 'server' | 'name' | 'args'>;

/** Calls that are the same. */
interface Repetition {
  text: string;
  calls: KeptCalls;
}

const expectation = 'expected no two equal tool calls';
const mostRepetitions = 100;
const longestArgs = 160;

/**
 * No two tool calls with the same server, tool and arguments. A blocked one counts: the agent tried.
 * Of a call only its fingerprint is kept.
 */
class NoDuplicateCalls implements Check {
  readonly #redact: Redact;
  /** Number of a call, by its fingerprint. */
  readonly #distinct = new Map<string, number>();
  readonly #repetitions = new Map<string, Repetition>();
  #seen = 0;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  see(call: AgentCall): void {
    if (call.kind !== 'tool') return;
    this.#seen++;
    const { server, name } = call;
    const args = call.exactArgs ?? call.args ?? {};
    // Two secrets look the same where they are redacted.
    const own = call.redacted === 'differs' ? [call.call] : [];
    const fingerprint = jsonFingerprint([server, name, args, ...own]);
    const other = this.#distinct.get(fingerprint);
    if (other === undefined) this.#distinct.set(fingerprint, call.call);
    else
      this.#repetitionOf(fingerprint, other, { server, name, args: call.args ?? {} })?.calls.add(
        call.call,
      );
  }

  verdict(): Verdict {
    const repeated = this.#seen - this.#distinct.size;
    if (repeated === 0) return { passed: true, reason: `${expectation}; ${this.#asIs}`, calls: [] };
    const groups = [...this.#repetitions.values()].sort(
      (left, right) => firstOf(left) - firstOf(right),
    );
    const details = groups.map(({ text, calls }) => `${text} ${calls.count} times (${calls.text})`);
    const named = enumeration([...details.slice(0, 2), ...(details.length > 2 ? ['more'] : [])]);
    return {
      passed: false,
      reason: `${expectation}; the agent made ${named}`,
      details,
      calls: distinctCalls(groups.flatMap(({ calls }) => calls.numbers)),
    };
  }

  get #asIs(): string {
    if (this.#seen === 0) return 'the agent made no tool call';
    return this.#seen === 1
      ? 'the agent made only one'
      : `the agent made ${this.#seen}, all of them different`;
  }

  #repetitionOf(fingerprint: string, other: number, call: ToolCall): Repetition | undefined {
    const known = this.#repetitions.get(fingerprint);
    if (known || this.#repetitions.size === mostRepetitions) return known;
    const text = `${callName({ kind: 'tool', ...call }, this.#redact)} ${shortJson(call.args, longestArgs, this.#redact)}`;
    const repetition = { text, calls: new KeptCalls() };
    repetition.calls.add(other);
    this.#repetitions.set(fingerprint, repetition);
    return repetition;
  }
}

function firstOf({ calls }: Repetition): number {
  return calls.numbers[0] ?? 0;
}

/** `false` checks nothing: undefined. */
export function noDuplicateCalls(isWanted: boolean, redact: Redact): Check | undefined {
  return isWanted ? new NoDuplicateCalls(redact) : undefined;
}
