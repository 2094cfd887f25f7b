import type { Output, TerminalSize } from '../../terminal/output.js';
import { displayWidth, withoutStyle } from '../../terminal/text.js';

const hideCursor = '\u001b[?25l';
const showCursor = '\u001b[?25h';
const eraseBelow = '\u001b[J';
/** To the end of the line, which is then complete. */
const lineEnd = '\u001b[K\n';
const cursorUp = (rows: number) => (rows > 0 ? `\u001b[${rows}A` : '');

/** Used where the terminal does not report its size. */
const usualSize: TerminalSize = { columns: 80, rows: 24 };

const betweenFramesMs = 100;
const withoutChangeMs = 1000;

/**
 * A few lines at the bottom of the terminal that are drawn again and again; what is printed scrolls
 * up above them. The cursor rests at the start of the last line: there the `^C` that a terminal
 * echoes does no harm.
 */
export class LiveRegion {
  readonly #output: Output;
  readonly #frame: (size: TerminalSize) => string[];
  /** How wide the lines on the terminal are. */
  #drawn: number[] = [];
  #above = '';
  #timer: NodeJS.Timeout | undefined;
  #isChangeDue = false;
  #isOver = false;

  constructor(output: Output, frame: (size: TerminalSize) => string[]) {
    this.#output = output;
    this.#frame = frame;
    output.write(hideCursor);
    process.on('exit', this.#restore);
    this.#wait(withoutChangeMs);
  }

  /** Prints above the region; text has whole lines. */
  print(text: string): void {
    if (this.#isOver) {
      this.#output.write(text);
      return;
    }
    this.#above += text;
    this.changed();
  }

  /** The next frame comes soon. */
  changed(): void {
    if (this.#isChangeDue || this.#isOver) return;
    this.#isChangeDue = true;
    this.#wait(betweenFramesMs);
  }

  /** Leaves the terminal as it was, with what was printed. */
  stop(): void {
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#output.write(`${this.#toStart(this.#size())}${this.#printed()}${eraseBelow}`);
    this.#restore();
  }

  #wait(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#draw(), milliseconds).unref();
  }

  #draw(): void {
    const size = this.#size();
    const start = this.#toStart(size);
    const lines = this.#frame(size);
    this.#drawn = lines.map((line) => displayWidth(withoutStyle(line)));
    // Written over what is there and not erased before: nothing flickers.
    this.#output.write(`${start}${this.#printed()}${lines.join(lineEnd)}${eraseBelow}\r`);
    this.#isChangeDue = false;
    this.#wait(withoutChangeMs);
  }

  /** Up to the first line of the region. Terminals that became narrower have wrapped them. */
  #toStart({ columns }: TerminalSize): string {
    const rows = this.#drawn
      .slice(0, -1)
      .reduce((sum, width) => sum + Math.max(Math.ceil(width / columns), 1), 0);
    return `\r${cursorUp(rows)}`;
  }

  #printed(): string {
    const text = this.#above.replaceAll('\n', lineEnd);
    this.#above = '';
    return text;
  }

  #size(): TerminalSize {
    return this.#output.size?.() ?? usualSize;
  }

  /** Also when the process ends in the middle. */
  readonly #restore = () => {
    this.#isOver = true;
    process.removeListener('exit', this.#restore);
    this.#output.write(showCursor);
  };
}
