/** What a channel reports about the server at its other end. */
export interface ChannelEvents {
  /** One message of the server, as its text. */
  message(text: string): void;
  /** Something on the stream that is no message. */
  noise(text: string): void;
  /** Called once, when nothing will come any more and nothing can be sent. */
  closed(end: ChannelEnd): void;
}

export interface ChannelEnd {
  code:
    | 'server-failed-to-start'
    | 'server-exited'
    | 'server-timeout'
    | 'server-unreachable'
    | 'server-unauthorized'
    | 'server-http-error'
    | 'message-too-large';
  /** What happened, as the end of a sentence about the server: `exited with code 1`. */
  reason: string;
  /** Details for the record, not for the agent: the last lines that the server wrote to its log. */
  details?: string;
}

/** A connection that carries messages both ways and knows nothing of requests or sessions. */
export interface Channel {
  /** Sends a message. If it cannot be taken, `failed` gets the reason. */
  send(text: string, failed: (reason: string) => void): void;
  /** Takes nothing from the server until `resume`: the reader is slower than the server writes. */
  pause(): void;
  resume(): void;
  /** The last lines of the server's log, if we see it. */
  log?(): string;
  /** Ends the connection, and the server if it is ours. */
  close(): Promise<void>;
  /** Cuts the grace period short after `close`: the server will not exit by itself. */
  hurry?(): void;
}

/** Opens a connection. Events are emitted later, never before this returns. */
export type OpenChannel = (events: ChannelEvents) => Channel;
