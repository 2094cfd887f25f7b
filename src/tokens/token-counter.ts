import path from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

interface TokenCounterOptions {
  /**
   * The program of the worker. The build puts it beside the chunk with this class; the source has
   * no such file, because not every Node can run TypeScript.
   */
  workerFile?: string | URL;
  /**
   * In characters: how much text may wait before `pressure` asks to stop. With much more, a busy machine
   * would have hundreds of megabytes of results waiting to be counted.
   */
  maxWaiting?: number;
}

interface Request {
  texts: string[];
  length: number;
  settle(counts: number[] | undefined): void;
}

/** Number of crashes after which the next text would hardly fare better. */
const maxCrashes = 3;

const workerOptions: WorkerOptions = {
  name: 'token-worker',
  // Nothing that was meant for the main program: no options of Node, no secrets.
  execArgv: [],
  env: {},
  // Far more than counting needs: what takes more ends the worker, and not this process. Texts come
  // and go, so the place for new ones is small: it is emptied often, and memory stays flat.
  resourceLimits: { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 8 },
};

/**
 * Requests go to the worker together: a message to it takes longer than counting a short text.
 * Without a second batch it would have nothing to do while an answer is on its way.
 */
const maxBatches = 2;
const maxBatch = 32;
/** In characters: a batch gets no more texts once it has so many. */
const fullBatch = 256 * 1024;
/** In milliseconds: how long the first request of a batch waits for others. */
const gatheringTime = 20;

/** Counts tokens (cl100k_base) in a thread of its own, which starts with the first text. */
export class TokenCounter {
  readonly #workerFile: string | URL;
  readonly #maxWaiting: number;
  #worker: Worker | undefined;
  #crashes = 0;
  #isClosed = false;
  /** Requests without an answer, by their number: an array is slow to shift when it is long. */
  readonly #requests = new Map<number, Request>();
  /** How many requests each batch has that the worker is busy with. */
  #batches: number[] = [];
  /** Requests before this one go alone, to find out which of them the worker dies of. */
  #aloneUntil = 0;
  #gathering: NodeJS.Timeout | undefined;
  /** How many requests there were, how many of them went to the worker, and how many came back. */
  #asked = 0;
  #sent = 0;
  #answered = 0;
  /** Length of all requests that have not been answered, in characters. */
  #waiting = 0;
  readonly #waitingForRoom: Array<() => void> = [];
  /** Requests are answered in order: with the last one, all are. */
  #lastAnswer: Promise<unknown> = Promise.resolve();

  constructor({
    workerFile = path.join(import.meta.dirname, 'token-worker.cjs'),
    maxWaiting = 2 * 1024 * 1024,
  }: TokenCounterOptions = {}) {
    this.#workerFile = workerFile;
    this.#maxWaiting = maxWaiting;
  }

  /** How many tokens each of the texts has, or undefined if they cannot be counted. */
  count(texts: string[]): Promise<number[] | undefined> {
    const answer = new Promise<number[] | undefined>((settle) => {
      const length = texts.reduce((sum, text) => sum + text.length, 0);
      this.#waiting += length;
      this.#requests.set(this.#asked++, { texts, length, settle });
    });
    this.#lastAnswer = answer;
    if (this.#asked - this.#sent >= maxBatch) this.#sendBatches();
    else this.#gathering ??= setTimeout(() => this.#sendBatches(), gatheringTime);
    return answer;
  }

  /** Sends what has been gathered: a caller waits for the counts. */
  hurry(): void {
    if (this.#gathering) this.#sendBatches();
  }

  /** A promise while too much text is waiting, which settles when there is room again. */
  pressure(): Promise<void> | undefined {
    if (this.#waiting <= this.#maxWaiting) return undefined;
    return new Promise((resolve) => this.#waitingForRoom.push(resolve));
  }

  /** Settles when everything asked for so far has been answered. */
  async idle(): Promise<void> {
    this.hurry();
    await this.#lastAnswer;
  }

  /** Ends the worker. What has not been counted never will be. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    this.#worker = undefined;
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    this.#giveUp();
    await worker?.terminate();
  }

  #sendBatches(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    while (this.#sent < this.#asked && this.#batches.length < maxBatches) {
      const worker = this.#worker ?? this.#startWorker();
      if (worker === undefined) {
        this.#giveUp();
        return;
      }
      worker.postMessage(this.#nextBatch());
    }
    // A pending count has to be answered, even if nothing else keeps the process alive.
    if (this.#answered < this.#asked) this.#worker?.ref();
    else this.#worker?.unref();
  }

  #nextBatch(): string[][] {
    const batch: string[][] = [];
    const most = this.#sent < this.#aloneUntil ? 1 : maxBatch;
    let length = 0;
    while (batch.length < most && length < fullBatch) {
      const request = this.#requests.get(this.#sent);
      if (request === undefined) break;
      batch.push(request.texts);
      length += request.length;
      this.#sent++;
    }
    this.#batches.push(batch.length);
    return batch;
  }

  /** Answers the oldest request. */
  #answer(counts: number[] | undefined): void {
    const request = this.#requests.get(this.#answered);
    if (request === undefined) return;
    this.#requests.delete(this.#answered++);
    this.#waiting -= request.length;
    request.settle(counts);
    if (this.#waiting > this.#maxWaiting) return;
    for (const resolve of this.#waitingForRoom.splice(0)) resolve();
  }

  #giveUp(): void {
    while (this.#answered < this.#asked) this.#answer(undefined);
    this.#forgetBatches();
  }

  #forgetBatches(): void {
    this.#batches = [];
    this.#sent = this.#answered;
  }

  #startWorker(): Worker | undefined {
    while (!this.#isClosed && this.#crashes < maxCrashes) {
      try {
        this.#worker = new Worker(this.#workerFile, workerOptions);
        this.#listenTo(this.#worker);
        return this.#worker;
      } catch {
        // The system has no thread left to give.
        this.#crashes++;
      }
    }
    return undefined;
  }

  #listenTo(worker: Worker): void {
    worker.on('message', (batch: number[][]) => {
      if (this.#worker !== worker) return;
      this.#batches.shift();
      for (const counts of batch) this.#answer(counts);
      this.#sendBatches();
    });
    // Without a listener it would end this process. `exit` follows, and is where it is dealt with.
    worker.on('error', () => {});
    worker.on('exit', () => {
      // One that was closed has been given up already.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#handleCrash();
      this.#sendBatches();
    });
  }

  /** Handles a crash, which the oldest batch caused: the next worker gets the others, and the texts of this one alone. */
  #handleCrash(): void {
    const [size = 0] = this.#batches;
    if (size > 1) {
      this.#aloneUntil = this.#answered + size;
    } else {
      this.#crashes++;
      if (size === 1) this.#answer(undefined);
    }
    this.#forgetBatches();
  }
}

/** How many tokens each of the texts has; undefined if they cannot be counted. */
export type CountTokens = (texts: string[]) => Promise<number[] | undefined>;

/** Counts tokens in a thread that ends when this is done. */
export async function withTokenCounter<Result>(
  use: (countTokens: CountTokens) => Promise<Result>,
): Promise<Result> {
  const tokens = new TokenCounter();
  try {
    return await use((texts) => {
      const counts = tokens.count(texts);
      tokens.hurry();
      return counts;
    });
  } finally {
    await tokens.close();
  }
}
