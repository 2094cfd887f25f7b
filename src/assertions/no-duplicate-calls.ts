import { createHash } from 'node:crypto';
import { isObject } from '../base/json.js';
import type { AgentCall, Assertion, Verdict } from './assertion.js';
import { CallNumbers, mergeCallNumbers } from './seen-calls.js';
import { formatCallName, formatShortJson, joinWithAnd, type Redact } from './wording.js';

/** A group of equal calls. */
interface Repetition {
  calls: CallNumbers;
  /** The call in words. Undefined while it is not among the repetitions that are shown. */
  text?: string | undefined;
}

const expectation = 'expected no two equal tool calls';
const maxShownRepetitions = 100;
const maxArgsLength = 160;

/**
 * Asserts that no two tool calls have the same server, tool and arguments. A blocked one counts: the agent
 * tried. It keeps only number and fingerprint of a call that is not repeated.
 */
export class NoDuplicateCalls implements Assertion {
  readonly #redact: Redact;
  /** For each fingerprint, the number of the first call that was seen with it. */
  readonly #distinct = new Map<string, number>();
  readonly #repetitions = new Map<string, Repetition>();
  /** The repetitions that have a text: those whose first calls arrived earliest. */
  readonly #shown = new Set<Repetition>();
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
    if (other === undefined) {
      this.#distinct.set(fingerprint, call.number);
      return;
    }
    const repetition = this.#repetitions.get(fingerprint) ?? { calls: new CallNumbers() };
    if (repetition.calls.count === 0) {
      this.#repetitions.set(fingerprint, repetition);
      repetition.calls.add(other);
    }
    repetition.calls.add(call.number);
    this.#show(repetition, call, args);
  }

  verdict(): Verdict {
    const repeated = this.#seen - this.#distinct.size;
    if (repeated === 0)
      return { passed: true, reason: `${expectation}; ${this.#happened}`, calls: [] };
    const shown = [...this.#shown].sort(compareFirstCalls);
    const details = shown.map(({ text, calls }) => `${text} ${calls.count} times (${calls.text})`);
    const named = joinWithAnd([...details.slice(0, 2), ...(details.length > 2 ? ['more'] : [])]);
    return {
      passed: false,
      reason: `${expectation}; the agent made ${named}`,
      details,
      calls: mergeCallNumbers(shown.flatMap(({ calls }) => calls.numbers)),
    };
  }

  /** What the agent did if no call was repeated. */
  get #happened(): string {
    if (this.#seen === 0) return 'the agent made no tool call';
    return this.#seen === 1
      ? 'the agent made only one'
      : `the agent made ${this.#seen}, all of them different`;
  }

  /**
   * Shows a repetition if its first call is among the earliest ones. Only a call that is added to a repetition can
   * bring it among them, so that its text is made from that call.
   */
  #show(repetition: Repetition, { server, name }: AgentCall, args: unknown): void {
    if (repetition.text !== undefined) return;
    if (this.#shown.size === maxShownRepetitions) {
      const [latest] = [...this.#shown].sort(compareFirstCalls).slice(-1);
      if (!latest || compareFirstCalls(latest, repetition) < 0) return;
      this.#shown.delete(latest);
      latest.text = undefined;
    }
    this.#shown.add(repetition);
    // Equal calls may have their keys in another order, and a verdict must not depend on which call ended last.
    const argsText = formatShortJson(args, maxArgsLength, this.#redact, { sortKeys: true });
    const callName = formatCallName({ kind: 'tool', server, name }, this.#redact);
    repetition.text = `${callName} ${argsText}`;
  }
}

function compareFirstCalls(left: Repetition, right: Repetition): number {
  return (left.calls.numbers[0] ?? 0) - (right.calls.numbers[0] ?? 0);
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
