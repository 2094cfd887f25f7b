import { BoundedMap } from '../../base/bounded-map.js';
import { readTextAt, replaceAt } from '../../base/json-text.js';
import { plural } from '../../base/text.js';
import { ToolHeaders } from '../../mcp/mcp-headers.js';
import {
  errorCodes,
  formatErrorAnswer,
  formatResultAnswer,
  type Message,
  readIdText,
  readMessage,
  readMessages,
} from '../../mcp/message.js';
import type { Channel, ChannelEnd, OpenChannel } from '../channels/channel.js';
import type { Details, ServerLog } from '../record/traffic-log.js';
import { IncomingMessages } from './incoming-messages.js';
import {
  type Exchange,
  isHarness,
  makePendingRequest,
  type Peer,
  type PendingRequest,
} from './peer.js';
import { Handshake, ProgressTokens, ResourceSubscriptions } from './shared-state.js';

interface ConnectionOptions {
  server: string;
  open: OpenChannel;
  /** Gets warnings about the connection while no peer uses it. */
  log: ServerLog;
  /** How long the server may take for its first message, in milliseconds. */
  startupTimeout: number;
}

/**
 * A connection to a server that several may share: requests get ids of their own on it, and what
 * the server sends finds its way back to the peer it is for.
 */
export class Connection {
  /** Why it is gone: the end of a sentence about the server. */
  lost: string | undefined;
  /** What the server wants to see in headers, as far as its tools have been listed. */
  readonly toolHeaders = new ToolHeaders();
  readonly #server: string;
  readonly #log: ServerLog;
  readonly #channel: Channel;
  readonly #pending = new Map<number, PendingRequest>();
  readonly #peers = new Set<Peer>();
  readonly #handshake = new Handshake();
  readonly #progress = new ProgressTokens();
  readonly #subscriptions = new ResourceSubscriptions();
  readonly #calledOff = new BoundedMap<number, true>(1000);
  readonly #incoming: IncomingMessages;
  readonly #holders = new Set<unknown>();
  readonly #startupTimeout: number;
  #startupTimer: NodeJS.Timeout | undefined;
  #hasAnswered = false;
  /** Whether the server was asked nothing but `server/discover`. */
  #wasOnlyProbed = true;
  #requests = 0;

  constructor({ server, open, log, startupTimeout }: ConnectionOptions) {
    this.#server = server;
    this.#log = log;
    this.#incoming = new IncomingMessages({
      pending: this.#pending,
      peers: this.#peers,
      handshake: this.#handshake,
      progress: this.#progress,
      subscriptions: this.#subscriptions,
      calledOff: this.#calledOff,
      toolHeaders: this.toolHeaders,
      send: (text) => this.#channel.send(text, () => {}),
      warn: (code, message, details) => this.#warn(code, message, details),
    });
    this.#startupTimeout = startupTimeout;
    this.#channel = open({
      message: (text) => this.#receive(text),
      noise: (text) => this.#noise(text),
      closed: (end) => this.#end(end),
    });
  }

  /** Sends a request of the agent to the server. */
  request(message: Message, peer: Peer, exchange: Exchange): void {
    this.#peers.add(peer);
    if (this.lost !== undefined) {
      const record = peer.log.request(message, peer.party, { held: true });
      this.#failRequest(makePendingRequest(message, peer, exchange, record), this.lost);
    } else if (message.method === 'initialize') {
      this.#initialize(message, peer, exchange);
    } else if (this.#subscriptions.note(message, peer)) {
      this.#send(message, peer, exchange);
    } else {
      this.#answerInstead(message, peer, exchange, formatResultAnswer(readIdText(message), '{}'));
    }
  }

  notification(message: Message, peer: Peer): void {
    const { method } = message;
    if (method === 'notifications/cancelled') this.#cancel(message, peer);
    // One `initialize`, one `initialized`.
    else if (method === 'notifications/initialized' && !this.#handshake.complete()) {
      peer.log.message('to-server', message, peer.party, { held: true });
    } else {
      // A call without an id gets no answer, but the server may do it all the same.
      if (method === 'tools/call') peer.log.request(message, peer.party);
      else peer.log.message('to-server', message, peer.party);
      this.#channel.send(message.text, () => {});
    }
  }

  /** An answer of the agent to a request of the server. */
  response(message: Message, peer: Peer): void {
    const isItsOwn = this.#incoming.mayAnswer(message, peer);
    peer.log.message('to-server', message, peer.party, isItsOwn ? {} : { held: true });
    if (isItsOwn) this.#channel.send(message.text, () => {});
    else this.#warn('unknown-response', 'the agent answered a request that is not its own');
  }

  /** The agent closed the stream of its requests, which calls them off. */
  callOff(exchange: Exchange): void {
    for (const [id, request] of this.#pending) {
      if (request.exchange === exchange) this.#callOff(id, request);
    }
  }

  /** A peer is gone for good: its requests are cancelled, and it gets no more messages. */
  leave(peer: Peer): void {
    this.#peers.delete(peer);
    this.#subscriptions.leave(peer);
    this.#incoming.leave(peer);
    for (const [id, request] of this.#pending)
      if (request.peer === peer) this.#callOff(id, request);
  }

  /** Takes nothing from the server until every holder has released it. */
  hold(holder: unknown): void {
    if (this.#holders.size === 0) this.#channel.pause();
    this.#holders.add(holder);
  }

  release(holder: unknown): void {
    if (this.#holders.delete(holder) && this.#holders.size === 0) this.#channel.resume();
  }

  get isShared(): boolean {
    const waiting = new Set([...this.#pending.values()].map(({ peer }) => peer));
    return [...this.#peers].filter((peer) => !isHarness(peer) || waiting.has(peer)).length > 1;
  }

  /** Ends the connection; whatever is still in flight is answered with the reason. */
  async close(reason: string): Promise<void> {
    this.#lose(reason, () => {});
    await this.#channel.close();
  }

  #initialize(message: Message, peer: Peer, exchange: Exchange): void {
    const { result } = this.#handshake;
    if (result !== undefined) {
      this.#handshake.join(peer);
      this.#answerInstead(message, peer, exchange, formatResultAnswer(readIdText(message), result));
    } else if (this.#handshake.begin(peer, () => this.request(message, peer, exchange))) {
      this.#send(message, peer, exchange);
    }
  }

  #send(message: Message, peer: Peer, exchange: Exchange): void {
    const id = ++this.#requests;
    const replacements = [{ path: ['id'], by: String(id) }];
    const path = ['params', '_meta', 'progressToken'];
    const token = readTextAt(message.text, path);
    if (token !== undefined) {
      replacements.push({ path, by: this.#progress.assign(token, peer, exchange) });
    }
    const record = peer.log.request(message, peer.party);
    if (message.method !== 'server/discover') this.#wasOnlyProbed = false;
    this.#awaitStart(message.method);
    this.#pending.set(id, makePendingRequest(message, peer, exchange, record));
    this.#channel.send(replaceAt(message.text, replacements), (reason) => this.#fail(id, reason));
  }

  /** A server may take long for a call, but not for these: it only has to say what it is. */
  #awaitStart(method: string): void {
    if (this.#hasAnswered || (method !== 'initialize' && method !== 'server/discover')) return;
    this.#startupTimer ??= setTimeout(() => {
      const reason = `did not answer within ${this.#startupTimeout / 1000} s of its start`;
      const details = this.#channel.log?.();
      this.#end({ code: 'server-timeout', reason, ...(details && { details }) });
      void this.#channel.close();
    }, this.#startupTimeout);
  }

  /** The agent gets an answer that is ours; the server does not see the request. */
  #answerInstead(message: Message, peer: Peer, exchange: Exchange, answer: string): void {
    const record = peer.log.request(message, peer.party, { held: true });
    exchange.answer(answer);
    const read = readMessage(answer);
    if (read) record.answered(read);
  }

  /**
   * A cancellation names the request by the agent's id. The agent does not wait for the answer any more, so the
   * stream for it ends. Of a request that is done the server does not need to know.
   */
  #cancel(message: Message, peer: Peer): void {
    const path = ['params', 'requestId'];
    const named = readTextAt(message.text, path);
    for (const [id, request] of this.#pending) {
      if (request.peer !== peer || request.id !== named) continue;
      peer.log.message('to-server', message, peer.party);
      this.#channel.send(replaceAt(message.text, [{ path, by: String(id) }]), () => {});
      this.#giveUp(id, request);
      request.exchange.end();
      return;
    }
    peer.log.message('to-server', message, peer.party, { held: true });
  }

  #callOff(id: number, request: PendingRequest): void {
    const { peer, exchange } = request;
    // As everywhere, the record has the agent's id and the server gets ours.
    const message = readMessage(formatCancellation(request.id));
    if (message) peer.log.message('to-server', message, peer.party);
    this.#channel.send(formatCancellation(String(id)), () => {});
    this.#giveUp(id, request);
    exchange.answer(formatErrorAnswer(request.id, errorCodes.relay, 'the session is over'));
  }

  #giveUp(id: number, { record, method }: PendingRequest): void {
    this.#pending.delete(id);
    this.#calledOff.set(id, true);
    record.cancelled();
    if (method === 'initialize') this.#handshake.end();
  }

  #receive(text: string): void {
    const messages = readMessages(text);
    if (this.lost !== undefined) {
      // Its input has ended: it would wait for an answer that cannot come.
      if (messages?.list.some(({ kind }) => kind === 'request')) this.#channel.hurry?.();
      return;
    }
    if (messages === undefined || messages.list.some(({ kind }) => kind === 'unknown')) {
      this.#noise(text);
      return;
    }
    clearTimeout(this.#startupTimer);
    this.#hasAnswered = true;
    for (const message of messages.list) this.#incoming.take(message);
    const pressure = this.#log.traffic.pressure();
    if (pressure === undefined) return;
    this.hold(pressure);
    void pressure.then(() => this.release(pressure));
  }

  #noise(text: string): void {
    // What a server writes while it exits is not recorded: the task run may be over.
    if (this.lost !== undefined) return;
    const message = 'the server wrote something to its output that is not a JSON-RPC message';
    this.#warn('server-output-not-json', message, text);
  }

  #fail(id: number, reason: string): void {
    const request = this.#pending.get(id);
    if (request === undefined) return;
    this.#pending.delete(id);
    this.#failRequest(request, reason);
  }

  #failRequest(request: PendingRequest, reason: string): void {
    const message = `the server ${JSON.stringify(this.#server)} ${reason}`;
    request.exchange.answer(formatErrorAnswer(request.id, errorCodes.relay, message));
    request.record.failed(message);
    if (request.method === 'initialize') this.#handshake.end();
  }

  #end({ code, reason, details }: ChannelEnd): void {
    const inFlight = this.#pending.size;
    this.#lose(reason, () => {
      const isCut = code === 'server-exited' && inFlight > 0;
      const calls = isCut ? ` with ${plural(inFlight, 'request')} in flight` : '';
      const message = `the server ${JSON.stringify(this.#server)} ${reason}${calls}`;
      // A server of the old era may not survive the question; clients then ask in the old way.
      const isProbe = code === 'server-exited' && this.#wasOnlyProbed && inFlight > 0;
      this.#warn(
        isProbe ? 'server-exited-when-probed' : code,
        message,
        details === undefined ? undefined : { endOf: details },
      );
    });
  }

  #lose(reason: string, report: () => void): void {
    clearTimeout(this.#startupTimer);
    if (this.lost !== undefined) return;
    this.lost = reason;
    report();
    for (const id of [...this.#pending.keys()]) this.#fail(id, reason);
    this.#handshake.end();
  }

  /** A warning about the connection concerns all its peers: it goes into each task run's record. */
  #warn(code: Parameters<ServerLog['warn']>[0], message: string, details?: Details): void {
    const logs = new Map([...this.#peers].map(({ log }) => [log.traffic, log]));
    for (const log of logs.size > 0 ? logs.values() : [this.#log]) log.warn(code, message, details);
  }
}

/** The notification that cancels a request. The id is given as text. */
function formatCancellation(id: string): string {
  const params = `{"requestId":${id},"reason":"the answer is no longer awaited"}`;
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
}
