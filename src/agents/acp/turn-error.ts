import { asArray, asRecord, asString, stringifyIfShort } from '../../base/json.js';
import { AnsweredError } from '../../base/json-rpc-peer.js';
import { truncate } from '../../base/text.js';
import type { AgentFailure } from '../agent.js';
import type { ProgramGoneError } from '../program/json-rpc-program.js';

const maxMessageLength = 500;
const maxDetailsLength = 16 * 1024;
const authRequired = -32000;

/** Why a turn failed. The message is the predicate of a sentence about the agent. */
export class TurnError extends Error {
  override name = 'TurnError';
  readonly code: AgentFailure['code'];
  readonly #details: string | undefined;

  constructor(code: AgentFailure['code'], message: string, details?: string) {
    super(truncate(message, maxMessageLength));
    this.code = code;
    this.#details = details === undefined ? undefined : truncate(details, maxDetailsLength);
  }

  /** Formats the failure with the agent's name and the end of its log. */
  describe(name: string, log: string): AgentFailure {
    const details = [this.#details, log].filter((text) => text !== undefined && text !== '');
    return {
      code: this.code,
      message: `${name} ${this.message}`,
      ...(details.length > 0 && { details: details.join('\n') }),
    };
  }

  /** Makes the error of a request that was answered with an error, or not at all. */
  static fromResponse(
    error: AnsweredError | ProgramGoneError,
    method: string,
    authMethods: unknown = [],
  ): TurnError {
    const code = method === 'session/prompt' ? 'failed' : 'not-started';
    if (!(error instanceof AnsweredError)) {
      return new TurnError(code, `${error.message}, before it answered ${method}`);
    }
    const details =
      error.data === undefined ? undefined : stringifyIfShort(error.data, maxDetailsLength);
    const message =
      error.code === authRequired
        ? `wants you to log in first${formatBrackets(listAuthMethods(authMethods))}: ${error.message}`
        : `answered ${method} with an error: ${error.message}`;
    return new TurnError(code, message, details);
  }
}

function listAuthMethods(authMethods: unknown): string[] {
  return asArray(authMethods).flatMap((method) => {
    const { name, id } = asRecord(method);
    return asString(name) ?? asString(id) ?? [];
  });
}

function formatBrackets(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (${names.slice(0, 10).join(', ')})`;
}

/** The error of a turn that ended for another reason than `end_turn`. */
export function readStopError(stopReason: unknown): TurnError | undefined {
  if (stopReason === 'end_turn') return undefined;
  const reason = asString(stopReason);
  const sentence = reason === undefined ? undefined : stopSentences.get(reason);
  return new TurnError(
    'failed',
    sentence ?? `ended its turn for a reason that is not known: ${reason ?? 'none'}`,
  );
}

const stopSentences: ReadonlyMap<string, string> = new Map([
  ['max_tokens', 'stopped because its model reached the token limit'],
  ['max_turn_requests', 'stopped because it reached its limit of requests to the model'],
  ['refusal', 'refused to continue'],
  ['cancelled', 'says that it was cancelled, which it was not'],
]);
