import { asArray, asRecord, asString, stringifyBounded } from '../../base/json.js';
import { AnsweredError } from '../../base/json-rpc-peer.js';
import { truncate } from '../../base/text.js';
import type { AgentFailure } from '../agent.js';
import type { ProgramGone } from '../program/json-rpc-program.js';

const maxMessageLength = 500;
const maxDetailsLength = 16 * 1024;
const authRequired = -32000;

/** Why a turn came to nothing; the message is the end of a sentence about the agent. */
export class TurnFailure extends Error {
  override name = 'TurnFailure';
  readonly code: AgentFailure['code'];
  readonly #details: string | undefined;

  constructor(code: AgentFailure['code'], message: string, details?: string) {
    super(truncate(message, maxMessageLength));
    this.code = code;
    this.#details = details === undefined ? undefined : truncate(details, maxDetailsLength);
  }

  /** As a sentence about an agent; the end of its log tells more. */
  about(name: string, log: string): AgentFailure {
    const details = [this.#details, log].filter((text) => text !== undefined && text !== '');
    return {
      code: this.code,
      message: `${name} ${this.message}`,
      ...(details.length > 0 && { details: details.join('\n') }),
    };
  }

  /** Why a request was not answered as it should be. */
  static of(
    error: AnsweredError | ProgramGone,
    method: string,
    authMethods: unknown = [],
  ): TurnFailure {
    const code = method === 'session/prompt' ? 'failed' : 'not-started';
    if (!(error instanceof AnsweredError)) {
      return new TurnFailure(code, `${error.message}, before it answered ${method}`);
    }
    const details =
      error.data === undefined ? undefined : stringifyBounded(error.data, maxDetailsLength);
    const message =
      error.code === authRequired
        ? `wants you to log in first${inBrackets(namesOf(authMethods))}: ${error.message}`
        : `answered ${method} with an error: ${error.message}`;
    return new TurnFailure(code, message, details);
  }
}

function namesOf(authMethods: unknown): string[] {
  return asArray(authMethods).flatMap((method) => {
    const { name, id } = asRecord(method);
    return asString(name) ?? asString(id) ?? [];
  });
}

function inBrackets(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (${names.slice(0, 10).join(', ')})`;
}

/** Of a turn that ended otherwise than by its own will. */
export function failureOfStop(stopReason: unknown): TurnFailure | undefined {
  if (stopReason === 'end_turn') return undefined;
  const reason = asString(stopReason);
  const sentence = reason === undefined ? undefined : stopSentences.get(reason);
  return new TurnFailure(
    'failed',
    sentence ?? `ended its turn for a reason that is not known: ${reason ?? 'none'}`,
  );
}

const stopSentences: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'stopped, as its model reached the limit of tokens'],
  ['max_turn_requests', 'stopped, as it reached its limit of requests to the model'],
  ['refusal', 'refused to go on'],
  ['cancelled', 'says that it was cancelled, and nobody did that'],
]);
