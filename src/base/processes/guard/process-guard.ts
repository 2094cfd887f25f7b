/**
 * A program of its own, which Proctor starts beside itself (start-guard.ts). It outlives its owner
 * by a moment, to end what that one leaves behind when it is killed or frozen. It is small, because
 * an owner that is guarded only in a while is not guarded.
 */
import { rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { withTimeout } from '../../timeouts.js';
import { killLeftovers, readLedger, sendSignal } from '../leftover-processes.js';
import { isRunning } from '../process-identity.js';
import { type GuardOrders, getHeartbeatInterval, goodbye, Silence } from './guard-protocol.js';

/** In milliseconds: one that was killed takes a while if it had much memory or waits for a disk. */
const killTimeout = 2_000;

// A signal to all processes reaches the owner, too. The guard exits after it.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const orders: GuardOrders = JSON.parse(process.argv[2] ?? '');
const lookEvery = getHeartbeatInterval(orders.silenceMs);
const silence = new Silence({ limit: orders.silenceMs, lookEvery, now: performance.now() });

process.stdin.on('data', (messages: Buffer) => {
  if (messages.includes(goodbye)) process.exit();
  silence.heard();
});
const endOfPipe = finished(process.stdin, { writable: false }).catch(() => {});

void Promise.race([endOfPipe, waitForSilence()]).then(clearUp);

async function clearUp(): Promise<void> {
  await endOwner();
  await killLeftovers({ ledger: readLedger(orders.ledger), startedBy: orders.owner });
  // What cannot be removed was made so by an agent: that is no reason to stay.
  if (orders.workspace !== undefined)
    await rm(orders.workspace, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  process.exit();
}

function waitForSilence(): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (silence.isTooLong(performance.now())) resolve();
    };
    setInterval(look, lookEvery);
  });
}

/** What is left of it is known only when it starts nothing more: then its end of the pipe is closed. */
async function endOwner(): Promise<void> {
  if (isRunning(orders.owner)) sendSignal(orders.owner.pid, 'SIGKILL');
  await withTimeout(killTimeout, endOfPipe);
}
