import type { Redactor } from '../config/secrets/redactor.js';

/** What has only the shape of a secret is not longer. */
const minOverlap = 16 * 1024;

export type BlockRedactor = Pick<Redactor, 'text' | 'longest'>;

/** A long text without its secrets, a block at a time: one that lies across two is found, too. */
export async function* redactedBlocks(
  chunks: AsyncIterable<unknown>,
  redactor: BlockRedactor,
): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += String(chunk);
    const cut = safeCut(text, redactor);
    if (cut === 0) continue;
    yield redactor.text(text.slice(0, cut));
    text = text.slice(cut);
  }
  yield redactor.text(text);
}

/** A place where the text can be cut without cutting through a secret; 0: there is none. */
function safeCut(text: string, redactor: BlockRedactor): number {
  const redact = (part: string) => redactor.text(part);
  const overlap = Math.max(minOverlap, redactor.longest);
  for (let place = text.length - overlap; place > overlap; place -= overlap) {
    const cut = isWithinPair(text, place) ? place - 1 : place;
    const around = text.slice(cut - overlap, cut + overlap);
    const parts = redact(around.slice(0, overlap)) + redact(around.slice(overlap));
    if (parts === redact(around)) return cut;
  }
  return 0;
}

/** Half a character cannot be written. */
function isWithinPair(text: string, place: number): boolean {
  return (text.codePointAt(place - 1) ?? 0) > 0xffff;
}
