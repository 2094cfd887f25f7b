import { LineSplitter, LineTooLongError } from './line-splitter.js';

/** One event of a text/event-stream. */
export interface StreamEvent {
  data: string;
  /** `message` unless the stream says otherwise. */
  event: string;
  /** The id by the standard: that of this event, or of the last one before it that had one. */
  id?: string;
  /** The id that stood in this very event. */
  ownId?: string;
}

/** Reads a text/event-stream as the HTML standard says, in whatever pieces it comes. */
export class EventStreamReader {
  /** What the stream last asked for: how long to wait before coming back, in milliseconds. */
  retry: number | undefined;
  /** The id of the last event that came whole: where to go on after the stream broke off. */
  lastEventId: string | undefined;
  readonly #maxLength: number;
  readonly #lines: LineSplitter;
  #isFirstLine = true;
  #data: string[] = [];
  #dataLength = 0;
  #event = '';
  #id: string | undefined;
  #ownId: string | undefined;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
    this.#lines = new LineSplitter({ ends: /\r\n|\n|\r/g, maxLength });
  }

  /** The events that a chunk completes. Throws LineTooLongError. */
  push(chunk: Buffer): StreamEvent[] {
    const events: StreamEvent[] = [];
    for (const line of this.#lines.push(chunk)) {
      const event = this.#takeLine(this.#isFirstLine ? line.replace(/^\ufeff/, '') : line);
      this.#isFirstLine = false;
      if (event) events.push(event);
    }
    return events;
  }

  #takeLine(line: string): StreamEvent | undefined {
    if (line === '') return this.#dispatch();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + (line[colon + 1] === ' ' ? 2 : 1));
    if (field === 'data') this.#addData(value);
    else if (field === 'event') this.#event = value;
    else if (field === 'id' && !value.includes('\0')) this.#takeId(value);
    else if (field === 'retry' && /^\d+$/.test(value)) this.retry = Number(value);
    return undefined;
  }

  #takeId(id: string): void {
    this.#id = id;
    this.#ownId = id;
  }

  /** The lines of one event are bounded together, too. */
  #addData(value: string): void {
    this.#dataLength += value.length + 1;
    if (this.#dataLength > this.#maxLength) throw new LineTooLongError(this.#maxLength);
    this.#data.push(value);
  }

  #dispatch(): StreamEvent | undefined {
    const data = this.#data;
    const event = this.#event || 'message';
    this.#data = [];
    this.#dataLength = 0;
    this.#event = '';
    // Only now: an event that broke off in the middle has to come again.
    this.lastEventId = this.#id;
    const [id, ownId] = [this.#id, this.#ownId];
    this.#ownId = undefined;
    if (data.length === 0) return undefined;
    return {
      data: data.join('\n'),
      event,
      ...(id !== undefined && { id }),
      ...(ownId !== undefined && { ownId }),
    };
  }
}

/** By the Content-Type of an answer. */
export function isEventStream(contentType: string | undefined): boolean {
  return /^text\/event-stream\b/i.test(contentType ?? '');
}
