import { LiveRegion } from '../check/live/live-region.js';
import type { CommandIo } from '../io.js';

/** How often it is told where nobody watches. */
const plainLines = 10;

/** Tells on stderr how far asking a judge has come. */
export class JudgeProgress {
  readonly #io: CommandIo;
  readonly #total: number;
  readonly #region: LiveRegion | undefined;
  #done = 0;
  #told = 0;
  #isStopping = false;

  constructor(io: CommandIo, total: number) {
    this.#io = io;
    this.#total = total;
    const isLive = io.stderr.isTerminal && !io.environment.CI && io.environment.TERM !== 'dumb';
    this.#region = isLive ? new LiveRegion(io.stderr, () => [this.#line]) : undefined;
    this.#region?.changed();
  }

  judged(): void {
    this.#done += 1;
    if (this.#region) this.#region.changed();
    else this.#tellNowAndThen();
  }

  stopping(): void {
    if (this.#isStopping) return;
    this.#isStopping = true;
    if (this.#region) this.#region.changed();
    else this.#io.stderr.write('stopping the judge\n');
  }

  end(): void {
    this.#region?.stop();
  }

  get #line(): string {
    const what = this.#isStopping ? 'stopping the judge' : 'asking the judge';
    return `${what}: ${this.#done} of ${this.#total} answers judged`;
  }

  #tellNowAndThen(): void {
    const part = Math.floor((this.#done * plainLines) / this.#total);
    if (part === this.#told) return;
    this.#told = part;
    this.#io.stderr.write(`${this.#line}\n`);
  }
}
