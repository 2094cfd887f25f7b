import type { ProcessIdentity } from '../process-identity.js';

/** What a guard has to know. */
export interface GuardOrders {
  /** Whom it watches. */
  owner: ProcessIdentity;
  /** The file in which the owner notes what it starts. */
  ledger: string;
  /** In milliseconds: an owner that was not heard for so long is frozen or stuck, and is killed. */
  silenceMs: number;
  /** A folder that nobody needs without the owner. It is removed with what the owner left behind. */
  workspace?: string;
}

/** Both are a single byte, which cannot arrive in pieces. */
export const heartbeat = '.';
export const goodbye = '!';

/** How often the owner speaks and the guard looks: some may be late before silence means anything. */
export function heartbeatInterval(silenceMs: number): number {
  return silenceMs / 10;
}
