import type { AgentIdentity } from '../../journal/run-events.js';
import { type ChosenJudge, JudgeSession } from '../../run/judging.js';
import { LiveRegion } from '../check/live/live-region.js';
import { onStopSignal } from '../stop-signals.js';
import type { CommandIo } from '../terminal/output.js';

interface JudgingOptions {
  judge: ChosenJudge;
  /** How many the judge will be asked about. */
  answers: number;
  io: CommandIo;
  redact(text: string): string;
}

interface Judging {
  ask: JudgeSession['ask'];
  /** Called after each answer. */
  onJudged(): void;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

interface Judged<Result> {
  judge: AgentIdentity;
  result: Result;
  isInterrupted: boolean;
}

/**
 * Does what needs a judge, shows how far it has come, and lets a signal stop it. Throws UsageError if
 * the judge is not fit to be asked.
 */
export async function withJudge<Result>(
  { judge, answers, io, redact }: JudgingOptions,
  work: (judging: Judging) => Promise<Result>,
): Promise<Judged<Result>> {
  const stop = new AbortController();
  const { signal } = stop;
  let progress: JudgeProgress | undefined;
  const unsubscribe = onStopSignal(() => {
    stop.abort();
    progress?.stopping();
  });
  const { environment } = io;
  const session = await JudgeSession.open(judge, { environment, redact, signal });
  try {
    progress = new JudgeProgress(io, answers);
    const result = await work({
      ask: (question, timeoutMs) => session.ask(question, timeoutMs),
      onJudged: () => progress?.judged(),
      signal,
    });
    return { judge: session.identity, result, isInterrupted: signal.aborted };
  } finally {
    progress?.end();
    await session.close();
    unsubscribe();
  }
}

/** How many lines of progress there are without a terminal. */
const plainLines = 10;

/** Shows on stderr how far asking a judge has come. */
export class JudgeProgress {
  readonly #io: CommandIo;
  readonly #total: number;
  readonly #region: LiveRegion | undefined;
  #done = 0;
  #printed = 0;
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
    else this.#printNowAndThen();
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

  #printNowAndThen(): void {
    const part = Math.floor((this.#done * plainLines) / this.#total);
    if (part === this.#printed) return;
    this.#printed = part;
    this.#io.stderr.write(`${this.#line}\n`);
  }
}
