import type { IncomingMessage } from 'node:http';
import { errorMessage } from '../../base/errors.js';
import type { ServerAddress } from './server-address.js';

/** Characters of a body that help to see what answered. */
const excerptLength = 200;

/** A message that did not get through, or had no answer; told to the client in its own words. */
export class BridgeFailure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BridgeFailure';
  }
}

/** What went wrong, in one line without the address's secret part. */
export function describeFailure(error: unknown, { origin }: ServerAddress): string {
  if (error instanceof BridgeFailure) return error.message;
  return `cannot reach ${origin}: ${reasonOf(error)}`;
}

export function reasonOf(error: unknown): string {
  // A name with several addresses: each was tried, and the error itself says nothing.
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.map(reasonOf).join(', ');
  }
  return errorMessage(error);
}

export function httpFailure(
  { statusCode = 0 }: IncomingMessage,
  body: string,
  address: ServerAddress,
  meaning = statusCode >= 300 && statusCode < 400 ? 'give the URL that it leads to' : undefined,
): BridgeFailure {
  const parts = [`HTTP ${statusCode} from ${address.origin}`];
  if (meaning !== undefined) parts.push(`(${meaning})`);
  return new BridgeFailure(parts.join(' ') + excerpt(body, address));
}

/** For an answer that no client of MCP can understand. */
export function foreignAnswer(
  response: IncomingMessage,
  body: string,
  address: ServerAddress,
): BridgeFailure {
  const type = response.headers['content-type'] ?? 'something without a content type';
  return new BridgeFailure(
    `${address.origin} answered with ${type}, not with a JSON-RPC message${excerpt(body, address)}`,
  );
}

function excerpt(body: string, address: ServerAddress): string {
  const text = address.hiddenIn(body).replace(/\s+/g, ' ').trim();
  return text === '' ? '' : `: ${[...text].slice(0, excerptLength).join('')}`;
}
