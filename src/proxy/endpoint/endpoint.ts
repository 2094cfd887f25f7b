import type { IncomingMessage, ServerResponse } from 'node:http';
import { readTextAt } from '../../base/json-text.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import {
  errorCodes,
  type Message,
  type Messages,
  readStatelessVersion,
} from '../../mcp/message.js';
import { formatBlockedAnswer, isBlocked } from '../policy.js';
import type { ServerLog } from '../record/traffic-log.js';
import { type Body, type RouteHandler, refuse } from '../route.js';
import { findHeaderMismatch } from '../standard-headers.js';
import { Session, StatelessPeer } from './agent-peers.js';
import type { Connection } from './connection.js';
import { EventStreamWriter, PostReply } from './http-reply.js';

interface EndpointOptions {
  server: McpServer;
  log: ServerLog;
  by?: 'harness';
  /** The connection for a new session, or for requests that stand alone. */
  connect(use: 'session' | 'stateless'): Connection;
  /** A session that had a connection of its own is over. */
  disconnect(connection: Connection): void;
}

/**
 * Offers a server that speaks over a channel as Streamable HTTP, in the stateful way (sessions, up
 * to revision 2025-11-25) and in the stateless one (2026-07-28).
 */
export class Endpoint implements RouteHandler {
  readonly server: McpServer;
  readonly #options: EndpointOptions;
  readonly #sessions = new Map<string, Session>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.server = options.server;
  }

  post(request: IncomingMessage, response: ServerResponse, { messages }: Body): void {
    const accepts = request.headers.accept ?? '*/*';
    if (!/application\/(json|\*)|\*\/\*/.test(accepts)) {
      refuse(response, 406, 'the client must accept application/json and text/event-stream');
      return;
    }
    const [first] = messages.list;
    const sessionId = readHeader(request, 'mcp-session-id');
    if (messages.list.every((message) => readStatelessVersion(message) !== undefined)) {
      this.#postStateless(request, response, messages);
    } else if (first?.method === 'initialize' && first.kind === 'request') {
      this.#initialize(request, response, messages);
    } else if (sessionId === undefined) {
      refuse(response, 400, 'the header Mcp-Session-Id is missing', { id: first });
    } else {
      const session = this.#sessionFor(sessionId, response, first);
      if (session) this.#exchange(request, response, messages, session);
    }
  }

  get(request: IncomingMessage, response: ServerResponse): void {
    const sessionId = readHeader(request, 'mcp-session-id');
    if (!/text\/event-stream|\*\/\*/.test(request.headers.accept ?? '*/*')) {
      refuse(response, 406, 'the client must accept text/event-stream');
    } else if (sessionId === undefined) {
      // No session, no stream: in the stateless era there is none.
      refuse(response, 405, 'there is no stream without a session', { allow: 'POST' });
    } else {
      const session = this.#sessionFor(sessionId, response);
      if (session?.stream?.isOpen) refuse(response, 409, 'the session already has a stream open');
      else if (session) this.#openStream(response, session);
    }
  }

  delete(request: IncomingMessage, response: ServerResponse): void {
    const sessionId = readHeader(request, 'mcp-session-id');
    if (sessionId === undefined) {
      refuse(response, 405, 'there is no session to end', { allow: 'POST' });
      return;
    }
    const session = this.#sessionFor(sessionId, response);
    if (!session) return;
    this.#end(session);
    response.writeHead(200).end();
  }

  pressure(): Promise<void> | undefined {
    return this.#options.log.traffic.pressure();
  }

  close(): void {
    for (const session of this.#sessions.values()) this.#end(session);
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    session.end();
    this.#options.disconnect(session.connection);
  }

  #initialize(request: IncomingMessage, response: ServerResponse, messages: Messages): void {
    const { log, by } = this.#options;
    const party = { session: log.newSession(), ...(by && { by }) };
    const session = new Session(log, party, this.#options.connect('session'));
    this.#sessions.set(session.id, session);
    this.#exchange(request, response, messages, session);
  }

  #postStateless(request: IncomingMessage, response: ServerResponse, messages: Messages): void {
    const { log, by } = this.#options;
    const connection = this.#options.connect('stateless');
    for (const message of messages.list) {
      const mismatch = findHeaderMismatch(request.headers, message, connection.toolHeaders);
      if (mismatch === undefined) continue;
      refuse(response, 400, mismatch, { code: errorCodes.headerMismatch, id: message });
      return;
    }
    const peer = new StatelessPeer(log, by ? { by } : {}, connection);
    const reply = this.#exchange(request, response, messages, peer);
    response.once('close', () => {
      if (reply) connection.callOff(reply);
      connection.leave(peer);
    });
  }

  /** Sends the messages of a POST on their way, and replies when there is something to reply. */
  #exchange(
    request: IncomingMessage,
    response: ServerResponse,
    messages: Messages,
    peer: EndpointPeer,
  ): PostReply | undefined {
    const requests = messages.list.filter(({ kind }) => kind === 'request').length;
    const reply =
      requests === 0
        ? undefined
        : new PostReply(response, {
            requests,
            isBatch: messages.isBatch,
            acceptsStream: /text\/event-stream|\*\/\*/.test(request.headers.accept ?? '*/*'),
            isStateless: !peer.isSession,
            headers: (answer) => this.#sessionHeader(peer, messages, answer),
            ...this.#backpressure(peer.connection),
          });
    if (reply) {
      peer.replyOpened(reply);
      response.once('close', () => peer.replyClosed(reply));
    }
    for (const message of messages.list) this.#pass(message, peer, reply);
    if (reply === undefined) response.writeHead(202).end();
    return reply;
  }

  /** A session that the server refused to begin is none. */
  #sessionHeader(peer: EndpointPeer, { list }: Messages, answer?: string): Record<string, string> {
    if (!(peer instanceof Session)) return {};
    const isFirst = list.some(({ method }) => method === 'initialize');
    if (!isFirst || answer === undefined || readTextAt(answer, ['error']) === undefined) {
      return { 'mcp-session-id': peer.id };
    }
    this.#end(peer);
    return {};
  }

  #pass(message: Message, peer: EndpointPeer, reply: PostReply | undefined): void {
    const { connection } = peer;
    if (isBlocked(this.server, message)) {
      const answer = formatBlockedAnswer(this.server, message);
      peer.log.blocked(message, answer, peer.party, this.server.restrictedBy);
      if (message.kind === 'request') reply?.answer(answer);
    } else if (message.kind === 'response') {
      connection.response(message, peer);
    } else if (message.kind === 'request' && reply) {
      connection.request(message, peer, reply);
    } else {
      connection.notification(message, peer);
    }
  }

  #openStream(response: ServerResponse, session: Session): void {
    const { slow, drained } = this.#backpressure(session.connection);
    const stream: EventStreamWriter = new EventStreamWriter(response, {
      headers: { 'mcp-session-id': session.id },
      slow: () => slow(stream),
      drained: () => drained(stream),
    });
    session.streamOpened(stream);
  }

  #sessionFor(id: string, response: ServerResponse, message?: Message): Session | undefined {
    const session = this.#sessions.get(id);
    const lost = session?.connection.lost;
    if (session && lost === undefined) return session;
    // The status makes a client start over; the text is for people.
    const { name } = this.server;
    const reason = lost === undefined ? '' : `: the server ${JSON.stringify(name)} ${lost}`;
    const details = { code: errorCodes.sessionNotFound, ...(message && { id: message }) };
    refuse(response, 404, `there is no such session${reason}`, details);
    if (session) this.#end(session);
    return undefined;
  }

  /** A reader that stops reading stops the server; where others wait too, it is cut off in the end. */
  #backpressure(connection: Connection) {
    const { log } = this.#options;
    const timers = new Map<EventStreamWriter, NodeJS.Timeout>();
    return {
      slow(writer: EventStreamWriter) {
        connection.hold(writer);
        const cutOff = () => {
          if (!connection.isShared) return;
          log.warn('slow-reader', 'a stream was cut: its reader held up all others');
          writer.destroy();
        };
        // Again and again: another peer may come to share the connection while it is held up.
        timers.set(writer, setInterval(cutOff, maxHoldUp).unref());
      },
      drained(writer: EventStreamWriter) {
        clearInterval(timers.get(writer));
        timers.delete(writer);
        connection.release(writer);
      },
    };
  }
}

type EndpointPeer = Session | StatelessPeer;

/** How long a slow reader may hold up others on the same connection, in milliseconds. */
const maxHoldUp = 10_000;

function readHeader(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
