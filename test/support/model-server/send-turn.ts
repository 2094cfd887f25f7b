import type { ServerResponse } from 'node:http';
import type { ModelApi, Reply, StreamEvent } from './model-api.js';
import type { ModelRequest, Turn } from './turn.js';

interface Exchange {
  turn: Turn;
  reply: Reply;
  request: ModelRequest;
  response: ServerResponse;
}

/** Answers with a turn, faults included. */
export function sendTurn(api: ModelApi, { turn, reply, request, response }: Exchange): void {
  const { status = 200, headers, body, cut, hang } = turn;
  if (hang === true) return;
  const isStream = request.isStream && status === 200;
  const type = isStream ? 'text/event-stream' : 'application/json';
  const pieces = body === undefined ? piecesOf(api, { isStream, reply, status }) : [body];
  response.writeHead(status, { 'content-type': type, ...headers });
  if (!cut && !hang) {
    response.end(pieces.join(''));
    return;
  }
  const half = firstHalf(pieces);
  if (cut === 'clean') response.end(half);
  else response.write(half, () => cut && response.destroy());
}

function piecesOf(
  api: ModelApi,
  { isStream, reply, status }: { isStream: boolean; reply: Reply; status: number },
): string[] {
  if (isStream) return api.events(reply).map(eventText);
  const answer = status === 200 ? api.answer(reply) : api.error(status, `scripted ${status}`);
  return [JSON.stringify(answer)];
}

function eventText({ event, data }: StreamEvent): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}

/** Whole events of a stream, or half of a single piece. */
function firstHalf(pieces: string[]): string {
  const [first = ''] = pieces;
  if (pieces.length === 1) return first.slice(0, first.length / 2);
  return pieces.slice(0, Math.floor(pieces.length / 2)).join('');
}
