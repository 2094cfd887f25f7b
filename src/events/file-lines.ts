import type { FileHandle } from 'node:fs/promises';

/** A line of a file, and whether a line break ends it. */
export interface FileLine {
  text: string;
  isComplete: boolean;
  /** In bytes, without the line break. */
  place: LinePlace;
}

/** Where a line stands in its file. */
export interface LinePlace {
  start: number;
  length: number;
}

/** Thrown instead of filling the memory with what may be no line at all. */
export class OverlongLine extends Error {
  constructor() {
    super('the line is too long to be read');
    this.name = 'OverlongLine';
  }
}

const chunkSize = 256 * 1024;
const lineFeed = 0x0a;

/** The lines of a file, one in memory at a time. What stands behind the last line break is a line too. */
export async function* fileLines(
  file: Pick<FileHandle, 'read'>,
  maxBytes: (line: number) => number,
): AsyncGenerator<FileLine> {
  const chunk = Buffer.allocUnsafe(chunkSize);
  // Of a line that goes on in the next chunk: joined once, at its end.
  let pieces: Buffer[] = [];
  let pending = 0;
  let line = 1;
  let lineStart = 0;
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkSize, null);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = read.indexOf(lineFeed); end !== -1; end = read.indexOf(lineFeed, start)) {
      const last = read.subarray(start, end);
      if (pending + last.length > maxBytes(line)) throw new OverlongLine();
      const text = (pending > 0 ? Buffer.concat([...pieces, last]) : last).toString('utf8');
      const place = { start: lineStart, length: pending + last.length };
      lineStart += place.length + 1;
      pieces = [];
      pending = 0;
      start = end + 1;
      line++;
      yield { text, isComplete: true, place };
    }
    if (start === bytesRead) continue;
    pieces.push(Buffer.from(read.subarray(start)));
    pending += bytesRead - start;
    if (pending > maxBytes(line)) throw new OverlongLine();
  }
  if (pending === 0) return;
  const text = Buffer.concat(pieces).toString('utf8');
  yield { text, isComplete: false, place: { start: lineStart, length: pending } };
}
