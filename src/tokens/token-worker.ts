/**
 * A program of its own, which TokenCounter runs in a worker thread: counting takes long, and the
 * thread that relays messages must not wait for it.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parentPort } from 'node:worker_threads';
import { Tokenizer } from './tokenizer.js';

// The build puts it there; it is a file of gpt-tokenizer.
const tiktoken = readFileSync(path.join(import.meta.dirname, 'cl100k_base.tiktoken'));
const tokenizer = new Tokenizer(tiktoken);

parentPort?.on('message', (batch: string[][]) => {
  parentPort?.postMessage(batch.map((texts) => texts.map((text) => tokenizer.count(text))));
});
