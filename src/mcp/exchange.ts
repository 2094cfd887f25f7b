import type { IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { AnswerBody } from './answer-body.js';
import { type HttpChannel, unreachable } from './http-channel.js';
import { McpError } from './mcp-error.js';
import { answerIn, errorIn, type RpcAnswer, type RpcMessage } from './rpc-message.js';

interface Listener {
  /** Of the request that waits for an answer. */
  id: number;
  headers: Record<string, string>;
  signal: AbortSignal;
  /** For requests and notifications of the server. */
  received(message: RpcMessage): void;
}

interface Exchange extends Listener {
  body: string;
  /** The HTTP answer is there. */
  answered(response: IncomingMessage): void;
}

const accept = 'application/json, text/event-stream';

/** Unless the stream says how long. */
const defaultRetry = 1_000;
const maxRetry = 30_000;

/** The id that no request has: what comes on the server's own stream answers none. */
const noRequest = 0;

/** In a row, without anything new. */
const maxReconnections = 5;

/** Sends a request, and waits for its answer however long it takes. Throws McpError. */
export async function exchange(channel: HttpChannel, request: Exchange): Promise<RpcAnswer> {
  const { signal } = request;
  try {
    return await postAndRead(channel, request);
  } catch (error) {
    throw signal.aborted ? signal.reason : unreachable(error);
  }
}

async function postAndRead(channel: HttpChannel, request: Exchange): Promise<RpcAnswer> {
  const { headers, body, signal, answered } = request;
  const response = await channel.send({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept, ...headers },
    body,
    signal,
  });
  answered(response);
  const read = await readAnswer(response, request);
  return read instanceof AnswerBody ? resume(channel, request, read) : read;
}

/** Reads the server's own stream, if it has one, for as long as it can be taken up again. */
export async function listenToServer(
  channel: HttpChannel,
  listener: Omit<Listener, 'id'>,
): Promise<void> {
  const { headers, signal } = listener;
  const stream = { ...listener, id: noRequest };
  try {
    const opened = await channel.send({
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers },
      signal,
    });
    const read = await readAnswer(opened, stream);
    if (read instanceof AnswerBody) await resume(channel, stream, read);
  } catch {
    // The server has no such stream or is gone, or we are.
  }
}

/** A server may end the stream before the answer, so that no connection idles (2025-11-25). */
async function resume(
  channel: HttpChannel,
  listener: Listener,
  broken: AnswerBody,
): Promise<RpcAnswer> {
  const { headers, signal } = listener;
  let { lastEventId, retry } = broken;
  for (let tries = 0; lastEventId !== undefined && tries < maxReconnections; tries++) {
    await delay(Math.min(retry ?? defaultRetry, maxRetry), undefined, { signal });
    const response = await channel.send({
      method: 'GET',
      headers: { accept: 'text/event-stream', ...headers, 'last-event-id': lastEventId },
      signal,
    });
    const read = await readAnswer(response, listener);
    if (!(read instanceof AnswerBody)) return read;
    if (read.lastEventId !== undefined && read.lastEventId !== lastEventId) {
      tries = 0;
      lastEventId = read.lastEventId;
    }
    retry = read.retry ?? retry;
  }
  throw new McpError('The server ended its answer before the result.', { code: 'unusable' });
}

/** The answer; or what was there in its place. */
async function readAnswer(
  response: IncomingMessage,
  { id, received }: Listener,
): Promise<RpcAnswer | AnswerBody> {
  const { statusCode: status = 0 } = response;
  const isRefusal = status < 200 || status > 299;
  const body = new AnswerBody(response);
  for await (const message of body.messages()) {
    const answer = answerIn(message, id) ?? (isRefusal ? errorIn(message) : undefined);
    if (answer) return answer;
    received(message);
  }
  if (!isRefusal) return body;
  throw new McpError(`The server answered with HTTP ${status}.`, { code: 'refused', status });
}
