import type { SeenEvents } from '../seen-events.js';
import type { Upstream } from '../upstream.js';
import type { ServerAddress } from './server-address.js';
import type { Session } from './session.js';

/** What every exchange with the server shares. */
export interface Connection {
  readonly upstream: Upstream;
  readonly address: ServerAddress;
  readonly session: Session;
  readonly seenEvents: SeenEvents;
  /** Passes a message of the server on to the client; false when it is no JSON-RPC message. */
  deliver(text: string): Promise<boolean>;
  /** Tells the person who reads standard error. */
  note(text: string): void;
}
