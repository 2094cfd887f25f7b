import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { stringifyBounded } from '../../base/bounded-json.js';
import { getChunkElementId } from '../../report-data/report-data.js';

const compress = promisify(gzip);

/** Approximate length of the JSON in a chunk, which has to be read to open one of its task runs. */
const chunkLength = 256 * 1024;

/** The place of a task run in the report. */
export interface ChunkPlace {
  chunk: number;
  place: number;
}

/** Writes task runs in chunks; each is written as soon as it is full. */
export class ChunkWriter {
  readonly #write: (text: string) => Promise<void>;
  #chunk = 0;
  #records: string[] = [];
  #length = 0;
  /** Writing of the previous chunk, which is compressed while the next one is filled. */
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
    const id = getChunkElementId(this.#chunk);
    this.#chunk += 1;
    this.#records = [];
    this.#length = 0;
    await this.#pending;
    this.#pending = makeDataElement(id, json).then(this.#write);
    // The next `await` reports the error; until then it must not be an unhandled rejection.
    this.#pending.catch(() => {});
  }
}

/** A script element with compressed data. Base64 holds nothing that a browser could interpret. */
export async function makeDataElement(id: string, json: string): Promise<string> {
  const compressed = await compress(json);
  return `<script type="text/plain" id="${id}">${compressed.toString('base64')}</script>\n`;
}
