/** A text to look for. */
export interface Literal<Target> {
  text: string;
  /** Given in lower case then. */
  ignoresCase?: boolean;
  /** A sticky pattern that has to match where it starts. */
  check?: RegExp;
  /** Whatever it stands for. */
  target: Target;
}

/** Three characters of seven bits. */
const gramBits = 21;

/**
 * The part of a text that is looked at, one byte for each character: reading bytes takes half the time
 * that reading characters does. Used by one search at a time.
 */
const partLength = 64 * 1024;
const bytes = Buffer.alloc(partLength + 4);

/**
 * Finds any of many texts in one pass, however many they are. Texts have at least three characters:
 * the first three, without their case, say at almost every place that nothing starts there.
 */
export class LiteralSearch<Target> {
  readonly #isPair = new Uint8Array(1 << 16);
  readonly #isStart = new Uint8Array(1 << (gramBits - 3));
  readonly #byStart = new Map<number, Literal<Target>[]>();

  constructor(literals: Iterable<Literal<Target>>) {
    for (const literal of literals) {
      const start = Buffer.from(literal.text.slice(0, 3), 'latin1');
      const [first = 0, second = 0, third = 0] = start.map(foldCase);
      this.#isPair[(first << 8) | second] = 1;
      this.#isPair[(second << 8) | third] = 1;
      const gram = (first << 14) | (second << 7) | third;
      this.#isStart[gram >> 3] = (this.#isStart[gram >> 3] ?? 0) | (1 << (gram & 7));
      const others = this.#byStart.get(gram);
      if (others) others.push(literal);
      else this.#byStart.set(gram, [literal]);
    }
  }

  /** Where the first one starts, from a place on; -1 if there is none. */
  indexFrom(text: string, start: number): number {
    let found = -1;
    this.visit(text, start, (_, at) => {
      found = at;
      return false;
    });
    return found;
  }

  /** Calls for every one, in their order, until `onFound` returns false. It must not search itself. */
  visit(
    text: string,
    start: number,
    onFound: (literal: Literal<Target>, at: number) => boolean,
  ): void {
    const isPair = this.#isPair;
    // Neighbouring parts share what a start may need of both.
    for (let base = start; base < text.length; base += partLength - 4) {
      const length = bytes.write(text.slice(base, base + partLength), 'latin1');
      const isLast = base + length >= text.length;
      const end = isLast ? length : length - 4;
      // Every start has two pairs, one of which begins at an even place.
      for (let at = 0; at <= end; at += 2) {
        const first = ((bytes[at] as number) | 0x20) & 0x7f;
        const second = ((bytes[at + 1] as number) | 0x20) & 0x7f;
        if (isPair[(first << 8) | second] === 0) continue;
        if (at > 0 && at - 1 < end && !this.#visitAt(text, base, at - 1, onFound)) return;
        if (at < end && !this.#visitAt(text, base, at, onFound)) return;
      }
    }
  }

  #visitAt(
    text: string,
    base: number,
    at: number,
    onFound: (literal: Literal<Target>, at: number) => boolean,
  ): boolean {
    const [first, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const gram = (foldCase(first) << 14) | (foldCase(second) << 7) | foldCase(third);
    const bits = this.#isStart[gram >> 3] ?? 0;
    if ((bits & (1 << (gram & 7))) === 0) return true;
    for (const literal of this.#byStart.get(gram) ?? []) {
      if (isLiteralAt(text, base + at, literal) && !onFound(literal, base + at)) return false;
    }
    return true;
  }
}

/** Without case, and in seven bits: characters that look the same here are distinguished later. */
function foldCase(byte = 0): number {
  return (byte | 0x20) & 0x7f;
}

function isLiteralAt<Target>(text: string, at: number, literal: Literal<Target>): boolean {
  const { text: sought, ignoresCase, check } = literal;
  const isThere = ignoresCase
    ? text.slice(at, at + sought.length).toLowerCase() === sought
    : text.startsWith(sought, at);
  if (!isThere || !check) return isThere;
  check.lastIndex = at;
  return check.test(text);
}
