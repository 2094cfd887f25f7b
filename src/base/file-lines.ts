import type { FileHandle } from 'node:fs/promises';

/** A line of a file, and whether a line break ends it. */
export interface FileLine {
  text: string;
  isComplete: boolean;
  /** In bytes, without the line break. */
  place: LinePlace;
  /** Its text was left out: it would fill the memory with what may be no line at all. */
  isTooLong: boolean;
}

/** Where a line stands in its file. */
export interface LinePlace {
  start: number;
  length: number;
}

const chunkSize = 256 * 1024;
const lineFeed = 0x0a;

/** The lines of a file, one in memory at a time. What stands behind the last line break is a line too. */
export async function* readFileLines(
  file: Pick<FileHandle, 'read'>,
  maxBytes: (line: number) => number,
): AsyncGenerator<FileLine> {
  const chunk = Buffer.allocUnsafe(chunkSize);
  // The parts of a line that goes on in the next chunk, joined once, at its end.
  let pieces: Buffer[] = [];
  let pending = 0;
  let line = 1;
  let lineStart = 0;
  let isTooLong = false;
  const take = (part: Buffer) => {
    pending += part.length;
    isTooLong ||= pending > maxBytes(line);
    if (isTooLong) pieces = [];
    else pieces.push(part);
  };
  const lineOf = (isComplete: boolean): FileLine => {
    const [only = Buffer.alloc(0)] = pieces;
    const bytes = pieces.length > 1 ? Buffer.concat(pieces) : only;
    const place = { start: lineStart, length: pending };
    return { text: bytes.toString('utf8'), isComplete, place, isTooLong };
  };
  for (;;) {
    const { bytesRead } = await file.read(chunk, 0, chunkSize, null);
    if (bytesRead === 0) break;
    const read = chunk.subarray(0, bytesRead);
    let start = 0;
    for (let end = read.indexOf(lineFeed); end !== -1; end = read.indexOf(lineFeed, start)) {
      take(read.subarray(start, end));
      const whole = lineOf(true);
      lineStart += whole.place.length + 1;
      pieces = [];
      pending = 0;
      isTooLong = false;
      start = end + 1;
      line++;
      yield whole;
    }
    // A copy: the chunk is used again.
    if (start < bytesRead) take(Buffer.from(read.subarray(start)));
  }
  if (pending > 0) yield lineOf(false);
}

/** Reads the text at a place of a file; shorter than it was if the file was cut since. */
export async function readTextAt(
  file: Pick<FileHandle, 'read'>,
  { start, length }: LinePlace,
): Promise<string> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(bytes, done, length - done, start + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.toString('utf8', 0, done);
}
