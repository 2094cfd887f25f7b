import { createHash } from 'node:crypto';
import { isObject } from '../base/json.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallNumbers, mergeCallNumbers } from './evidence.js';
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

/** Pieces are joined before they are hashed: updates with small ones would take most of the time. */
const pieceSize = 16 * 1024;

/**
 * Computes equal fingerprints for equal JSON values: the order of keys does not matter, the
 * order of a list does. Not recursive, as the value may be nested very deeply. Unlike `digestJson`, whose
 * digests are recorded, it is made for many small values, and does not confuse infinity with null.
 */
export function computeJsonFingerprint(value: unknown): string {
  const hash = createHash('sha256');
  const waiting: unknown[] = [value];
  let piece = '';
  while (waiting.length > 0) {
    piece += `${writeHead(waiting.pop(), waiting)} `;
    if (piece.length < pieceSize) continue;
    hash.update(piece);
    piece = '';
  }
  return hash.update(piece).digest('base64url');
}

/** Writes a value without its members. Their number is part of it, so no closing bracket is needed. */
function writeHead(value: unknown, waiting: unknown[]): string {
  if (Array.isArray(value)) {
    for (let index = value.length - 1; index >= 0; index--) waiting.push(value[index]);
    return `[${value.length}`;
  }
  if (isObject(value)) {
    const keys = Object.keys(value).sort();
    for (const key of keys) waiting.push(value[key], key);
    return `{${keys.length}`;
  }
  // Not JSON.stringify for numbers: 1e999 is Infinity in JavaScript, which JSON writes as null.
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
