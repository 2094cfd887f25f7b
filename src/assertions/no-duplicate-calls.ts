import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallNumbers, mergeCallNumbers } from './evidence.js';
import { computeJsonFingerprint } from './json-fingerprint.js';
import { formatCallName, formatShortJson, joinWithAnd, type Redact } from './wording.js';

type ToolCall = Pick<AgentCall, 'server' | 'name' | 'args'>;

/** A group of equal calls. */
interface Repetition {
  text: string;
  calls: CallNumbers;
}

const expectation = 'expected no two equal tool calls';
const mostRepetitions = 100;
const longestArgs = 160;

/**
 * Asserts that no two tool calls have the same server, tool and arguments. A blocked one counts: the agent
 * tried. Only the fingerprint of a call is kept.
 */
export class NoDuplicateCalls implements Assertion {
  readonly #redact: Redact;
  /** Number of the first call with a fingerprint. */
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
    // Two different secrets look the same after redaction; the call's number makes them differ.
    const distinction = call.redacted === 'differs' ? [call.number] : [];
    const fingerprint = computeJsonFingerprint([server, name, args, ...distinction]);
    const other = this.#distinct.get(fingerprint);
    if (other === undefined) this.#distinct.set(fingerprint, call.number);
    else
      this.#repetitionOf(fingerprint, other, { server, name, args: call.args ?? {} })?.calls.add(
        call.number,
      );
  }

  verdict(): Verdict {
    const repeated = this.#seen - this.#distinct.size;
    if (repeated === 0)
      return { passed: true, reason: `${expectation}; ${this.#asIs}`, callNumbers: [] };
    const groups = [...this.#repetitions.values()].sort(
      (left, right) => findFirstCall(left) - findFirstCall(right),
    );
    const details = groups.map(({ text, calls }) => `${text} ${calls.count} times (${calls.text})`);
    const named = joinWithAnd([...details.slice(0, 2), ...(details.length > 2 ? ['more'] : [])]);
    return {
      passed: false,
      reason: `${expectation}; the agent made ${named}`,
      details,
      callNumbers: mergeCallNumbers(groups.flatMap(({ calls }) => calls.numbers)),
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
    const text = `${formatCallName({ kind: 'tool', ...call }, this.#redact)} ${formatShortJson(call.args, longestArgs, this.#redact)}`;
    const repetition = { text, calls: new CallNumbers() };
    repetition.calls.add(other);
    this.#repetitions.set(fingerprint, repetition);
    return repetition;
  }
}

function findFirstCall({ calls }: Repetition): number {
  return calls.numbers[0] ?? 0;
}
