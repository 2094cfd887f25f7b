import type { IncomingHttpHeaders } from 'node:http';
import type { ApiName, Question, Usage } from './model-api.js';

/**
 * What the model does: a list of turns, or a function of the request (nothing: the default answer).
 *
 * A list follows the conversation and not the count of requests, as real programs ask besides for
 * titles, quotas and topics: the model's first words in a conversation are the first turn, and so
 * on. Turns with a fault do not advance the conversation: each is used up by one request. A request
 * that offers no tools, or comes after the last turn, gets the default answer.
 */
export type Script = readonly Turn[] | ((request: ModelRequest) => Turn | undefined);

export interface Turn {
  text?: string;
  thinking?: string;
  toolCalls?: readonly TurnToolCall[];
  usage?: Usage;
  /** That says it answered, if it is not the one that was asked. */
  model?: string;

  /** Faults: an HTTP error, with headers such as retry-after. */
  status?: number;
  headers?: Record<string, string>;
  /** The response's body, whatever it is. */
  body?: string;
  /** The answer stops midway: the connection breaks, or (`clean`) ends as if that were all. */
  cut?: true | 'clean';
  /** The answer never comes, or stops midway and the connection stays. */
  hang?: true | 'midway';
}

export interface TurnToolCall {
  /** The name at the end of an offered one, as each program has its own prefixes. */
  tool?: string;
  /** Exactly this name, offered or not. */
  name?: string;
  match?: (names: string[]) => string | undefined;
  args?: object;
  /** In place of `args`: any text. */
  rawArgs?: string;
}

export interface ModelRequest extends Question {
  api: ApiName;
  path: string;
  headers: IncomingHttpHeaders;
  /** When all of it was here: wall time in milliseconds. */
  arrivedAt: number;
  /** As it came. */
  body: string;
  /** Text of the last message of the user. */
  prompt: string;
  /** `broken`: the other side went away before the answer was complete. */
  ended: Promise<'answered' | 'broken'>;
}

export const defaultTurn: Turn = { text: 'Done.' };

export function isFault({ status, body, cut, hang }: Turn): boolean {
  return [status, body, cut, hang].some((fault) => fault !== undefined);
}
