import type { IncomingMessage } from 'node:http';

/** Whether a successful answer is something for people (a start page, a login) and no message. */
export function isPage({ statusCode = 0, headers }: IncomingMessage): boolean {
  const type = headers['content-type'];
  return statusCode < 300 && type !== undefined && !/json/i.test(type);
}

/** For messages: what a server answered that is no answer. */
export function describeAnswer(
  server: string,
  { statusCode, headers: { 'content-type': type } }: IncomingMessage,
): string {
  const kind = type === undefined ? '' : ` and a body of type ${type}`;
  return `the server ${JSON.stringify(server)} answered with HTTP ${statusCode}${kind}`;
}

/** The server's answers to a part of a batch, with those to the other part. */
export function mergedBatch(body: string, others: readonly string[]): string {
  const inner = body.trim().replace(/^\[|\]$/g, '');
  return `[${[inner, ...others].filter((text) => text !== '').join(',')}]`;
}
