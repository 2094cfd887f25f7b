/** Longer than any secret that is worth its name. */
const overlap = 16 * 1024;

/** A long text without its secrets, a block at a time: one that lies across two is found, too. */
export async function* redactedBlocks(
  chunks: AsyncIterable<unknown>,
  redact: (text: string) => string,
): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of chunks) {
    text += String(chunk);
    const cut = safeCut(text, redact);
    if (cut === 0) continue;
    yield redact(text.slice(0, cut));
    text = text.slice(cut);
  }
  yield redact(text);
}

/** A place where the text can be cut without cutting through a secret; 0: there is none. */
function safeCut(text: string, redact: (text: string) => string): number {
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
