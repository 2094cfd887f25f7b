/**
 * A program of its own, which TokenCounter runs in a worker thread: counting takes long, and the
 * thread that relays messages must not wait for it.
 */
import { parentPort } from 'node:worker_threads';
import { countTokens } from './count-tokens.js';

parentPort?.on('message', (batch: string[][]) => {
  parentPort?.postMessage(batch.map((texts) => texts.map(countTokens)));
});
