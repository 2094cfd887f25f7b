import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import {
  getChunkElementId,
  indexElementId,
  type ReportChunk,
  type ReportIndex,
} from '../../src/report-data/report-data.js';

/** A report as its page would read it. */
export class ReportContent {
  readonly html: string;
  readonly index: ReportIndex;

  static async of(file: string): Promise<ReportContent> {
    return new ReportContent(await readFile(file, 'utf8'));
  }

  private constructor(html: string) {
    this.html = html;
    this.index = this.#element(indexElementId) as ReportIndex;
  }

  chunk(number: number): ReportChunk {
    return this.#element(getChunkElementId(number)) as ReportChunk;
  }

  /** Every task run, by way of its place in the index. */
  get taskRuns(): (ReportChunk[number] | undefined)[] {
    const { chunk, place } = this.index.taskRuns;
    return chunk.map((number, row) => this.chunk(number)[place[row] ?? -1]);
  }

  #element(id: string): unknown {
    const start = `<script type="text/plain" id="${id}">`;
    const from = this.html.indexOf(start) + start.length;
    const data = this.html.slice(from, this.html.indexOf('</script>', from));
    return JSON.parse(gunzipSync(Buffer.from(data, 'base64')).toString());
  }
}
