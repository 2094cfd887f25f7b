import { BoundedMap } from '../../base/bounded-map.js';
import { isObject } from '../../base/json.js';
import { readTextAt, replaceAt } from '../../base/json-text.js';
import type { WarningCode } from '../../journal/mcp-events.js';
import type { ToolHeaders } from '../../mcp/mcp-headers.js';
import {
  errorCodes,
  formatEmptyAnswer,
  formatErrorAnswer,
  formatIdKey,
  type Message,
  readIdKey,
  readIdText,
  readMessage,
} from '../../mcp/message.js';
import { answerServerRequest } from '../../mcp/rpc-message.js';
import { findTaskId } from '../record/outcome.js';
import { warnOfFaultyTools } from '../standard-headers.js';
import { type Exchange, isHarness, type Peer, type PendingRequest } from './peer.js';
import type { Handshake, ProgressTokens, ResourceSubscriptions } from './shared-state.js';

interface ConnectionState {
  pending: Map<number, PendingRequest>;
  peers: ReadonlySet<Peer>;
  handshake: Handshake;
  progress: ProgressTokens;
  subscriptions: ResourceSubscriptions;
  /** Requests that were cancelled. A server may answer them all the same. */
  calledOff: BoundedMap<number, true>;
  toolHeaders: ToolHeaders;
  send(text: string): void;
  warn(code: WarningCode, message: string, details?: string): void;
}

const subscriptionKey = 'io.modelcontextprotocol/subscriptionId';
const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** Decides which peer a message of the server is for. */
export class IncomingMessages {
  readonly #state: ConnectionState;
  /** Requests of the server, by the key of their id, and who was asked. */
  readonly #asked = new BoundedMap<string, { peer: Peer; id: string }>(10_000);
  readonly #taskOwners = new BoundedMap<string, Peer>(10_000);

  constructor(state: ConnectionState) {
    this.#state = state;
  }

  take(message: Message): void {
    if (message.kind === 'response' || message.kind === 'empty') this.#takeAnswer(message);
    else if (message.kind === 'request') this.#takeRequest(message);
    else this.#takeNotification(message);
  }

  /** Whether a peer may answer: only the one that was asked may. An answer to an unknown request does no harm. */
  mayAnswer(message: Message, peer: Peer): boolean {
    const asked = this.#asked.get(readIdKey(message));
    if (asked?.peer === peer) this.#asked.delete(readIdKey(message));
    return asked === undefined || asked.peer === peer;
  }

  /** A peer is gone for good: the server's requests to it are refused, so that it does not wait. */
  leave(peer: Peer): void {
    for (const [key, asked] of this.#asked.entries()) {
      if (asked.peer !== peer) continue;
      this.#asked.delete(key);
      this.#refuse(asked.id);
    }
  }

  #takeAnswer(message: Message): void {
    const { pending, handshake } = this.#state;
    const { id, result } = message.value;
    const request = typeof id === 'number' ? pending.get(id) : undefined;
    if (request === undefined || typeof id !== 'number') {
      // An error without an id: the server could not even read what it was sent.
      if (id === null) this.#deliver(message, this.#whoIsAsked(message));
      else if (typeof id !== 'number' || !this.#state.calledOff.get(id))
        this.#warnAbout(
          'unknown-response',
          'the server answered a request that was never sent',
          message,
        );
      return;
    }
    pending.delete(id);
    const { peer, exchange, record, method } = request;
    const task = findTaskId(result);
    if (task !== undefined) this.#taskOwners.set(task, peer);
    const text = replaceAt(message.text, [{ path: ['id'], by: request.id }]);
    // Clients pass over what is no answer, and would wait for one for ever.
    if (message.kind === 'empty') exchange.answer(formatEmptyAnswer(request.id));
    else exchange.answer(text);
    record.answered({ ...message, text });
    if (method === 'initialize') handshake.end(message);
    if (method !== 'tools/list') return;
    this.#state.toolHeaders.learn(result);
    warnOfFaultyTools(message, this.#state.warn);
  }

  #takeRequest(message: Message): void {
    const target = this.#whoIsAsked(message);
    if (target && isHarness(target.peer)) {
      this.#answerForHarness(message, target.peer);
      return;
    }
    const ownAnswer =
      target || !this.#state.handshake.isOurs ? undefined : answerServerRequest(message);
    const id = readIdText(message);
    // It asks because of what we said that its client can do.
    if (ownAnswer !== undefined) this.#state.send(ownAnswer);
    else if (this.#deliver(message, target) && target)
      this.#asked.set(readIdKey(message), { peer: target.peer, id });
    else this.#refuse(id);
  }

  /** A server that waits for an answer which cannot come may not leave when it is asked to. */
  #refuse(id: string): void {
    const message = 'no client is there to answer this request';
    this.#state.send(formatErrorAnswer(id, errorCodes.relay, message));
  }

  /** Answers at once for our own steps: between their calls nothing could reach them, and a server may wait. */
  #answerForHarness(message: Message, { log, party }: Peer): void {
    log.message('to-agent', message, party);
    const answer = readMessage(answerServerRequest(message) ?? '');
    if (answer === undefined) return;
    log.message('to-server', answer, party);
    this.#state.send(answer.text);
  }

  #takeNotification(message: Message): void {
    const { method, params } = message;
    const subscription = isObject(params._meta) ? params._meta[subscriptionKey] : undefined;
    if (method === 'notifications/progress') this.#takeProgress(message);
    else if (method === 'notifications/cancelled') this.#takeCancellation(message);
    else if (subscription !== undefined) this.#takeSubscribed(message, subscription);
    else if (method === 'notifications/resources/updated') this.#takeUpdate(message);
    else {
      const owner = this.#taskOwner(message);
      if (owner) this.#deliver(message, { peer: owner });
      else this.#deliverToAll(message);
    }
  }

  #takeProgress(message: Message): void {
    const path = ['params', 'progressToken'];
    const token = this.#state.progress.find(readTextAt(message.text, path) ?? '');
    if (token === undefined) {
      this.#deliver(message, this.#whoIsAsked(message));
      return;
    }
    // The request was cancelled, and the server did not stop.
    if (!this.#state.peers.has(token.owner)) return;
    const text = replaceAt(message.text, [{ path, by: token.original }]);
    this.#deliver({ ...message, text }, { peer: token.owner, about: token.exchange });
  }

  /** The server withdraws its own request, or ends a subscription in the way of stdio. */
  #takeCancellation(message: Message): void {
    const { requestId } = message.params;
    const asked = this.#asked.get(formatIdKey(requestId) ?? '');
    if (asked) {
      this.#deliver(message, { peer: asked.peer });
      return;
    }
    const request = typeof requestId === 'number' ? this.#state.pending.get(requestId) : undefined;
    if (request === undefined || typeof requestId !== 'number') return;
    this.#state.pending.delete(requestId);
    request.exchange.end();
    request.record.failed('the server ended it without an answer');
  }

  /** On stdio a subscription is named by the id of its request: that one is ours. */
  #takeSubscribed(message: Message, subscription: unknown): void {
    const { pending } = this.#state;
    const request = typeof subscription === 'number' ? pending.get(subscription) : undefined;
    if (request === undefined) {
      this.#warnAbout('undeliverable-message', 'it belongs to no open subscription', message);
      return;
    }
    const path = ['params', '_meta', subscriptionKey];
    const text = replaceAt(message.text, [{ path, by: request.id }]);
    this.#deliver({ ...message, text }, { peer: request.peer, about: request.exchange });
  }

  #takeUpdate(message: Message): void {
    const subscribers = this.#state.subscriptions.of(message.params.uri);
    if (subscribers.size === 0) this.#deliverToAll(message);
    for (const peer of subscribers) this.#deliver(message, { peer });
  }

  #deliverToAll(message: Message): void {
    const sessions = [...this.#state.peers].filter((peer) => peer.isSession && !isHarness(peer));
    if (sessions.length === 0) this.#deliver(message, this.#whoIsAsked(message));
    for (const peer of sessions) this.#deliver(message, { peer });
  }

  /**
   * A server on a shared connection does not say which peer it asks: the owner of the task, else the
   * only peer that waits for an answer, else the peer it knows by its initialize. A step of ours always
   * has an answer.
   */
  #whoIsAsked(message: Message): Target | undefined {
    const owner = this.#taskOwner(message);
    if (owner) return { peer: owner };
    const waiting = [...this.#state.pending.values()];
    const last = waiting.at(-1);
    if (last && waiting.every(({ peer }) => peer === last.peer)) return makeTarget(last, waiting);
    const { initialiser } = this.#state.handshake;
    if (initialiser && this.#state.peers.has(initialiser)) return { peer: initialiser };
    if (last) return { peer: last.peer, about: last.exchange };
    const harness = [...this.#state.peers].find(isHarness);
    return harness && { peer: harness };
  }

  #taskOwner({ params }: Message): Peer | undefined {
    const related = isObject(params._meta) ? params._meta[relatedTaskKey] : undefined;
    const task = isObject(related) ? related.taskId : params.taskId;
    return typeof task === 'string' ? this.#taskOwners.get(task) : undefined;
  }

  /** False: it cannot arrive. */
  #deliver(message: Message, target: Target | undefined): boolean {
    const { peers, handshake } = this.#state;
    if (target === undefined || !peers.has(target.peer)) {
      // Between task runs a server may notify a client of ours that has left: no warning.
      if (peers.size > 0 || !handshake.isOurs)
        this.#warnAbout('undeliverable-message', 'no client is there to take it', message);
      return false;
    }
    const { peer, about } = target;
    const isOnItsWay = peer.deliver(message.text, about);
    peer.log.message('to-agent', message, peer.party);
    return isOnItsWay;
  }

  #warnAbout(code: WarningCode, reason: string, message: Message): void {
    this.#state.warn(code, `a message of the server was not passed on: ${reason}`, message.text);
  }
}

interface Target {
  peer: Peer;
  about?: Exchange;
}

/** Makes the target of a message. With several requests in flight it is not known which one it is about. */
function makeTarget(last: PendingRequest, waiting: PendingRequest[]): Target {
  return waiting.length === 1 ? { peer: last.peer, about: last.exchange } : { peer: last.peer };
}
