import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringifyBounded } from '../../base/bounded-json.js';
import { chunkElementId } from '../../report-data/report-data.js';

const compress = promisify(gzip);

/** JSON of task runs in one chunk, about: it is what opening one of them costs. */
const chunkLength = 256 * 1024;

/** Where a task run went. */
export interface ChunkPlace {
  chunk: number;
  place: number;
}

/** Writes task runs in chunks, each as soon as it is full. */
export class ChunkWriter {
  readonly #write: (text: string) => Promise<void>;
  #chunk = 0;
  #records: string[] = [];
  #length = 0;
  /** The chunk before is compressed while the next one is read. */
  #pending: Promise<void> = Promise.resolve();

  constructor(write: (text: string) => Promise<void>) {
    this.#write = write;
  }

  async add(record: unknown): Promise<ChunkPlace> {
    const json = stringifyBounded(record);
    const position = { chunk: this.#chunk, place: this.#records.length };
    this.#records.push(json);
    this.#length += json.length;
    if (this.#length >= chunkLength) await this.#startChunk();
    return position;
  }

  async end(): Promise<void> {
    if (this.#records.length > 0) await this.#startChunk();
    await this.#pending;
  }

  async #startChunk(): Promise<void> {
    const json = `[${this.#records.join(',')}]`;
    const id = chunkElementId(this.#chunk);
    this.#chunk += 1;
    this.#records = [];
    this.#length = 0;
    await this.#pending;
    this.#pending = makeDataElement(id, json).then(this.#write);
    // Whoever waits for it gets to know; until then it is no surprise.
    this.#pending.catch(() => {});
  }
}

/** Base64 means nothing to a browser, whatever the data says. */
export async function makeDataElement(id: string, json: string): Promise<string> {
  const compressed = await compress(json);
  return `<script type="text/plain" id="${id}">${compressed.toString('base64')}</script>\n`;
}
