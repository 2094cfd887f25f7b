import type { AgentDefinition } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import { formatShortDuration } from '../../analysis/figure-text.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { Judgement } from '../../journal/step-events.js';
import { type Judge, startJudge } from '../../judge/judge.js';
import { type LimitSettings, makeLocalLimits } from '../../limits/limits.js';
import type { ModelGate, RateLimiter } from '../../limits/rate-limiter.js';
import { TimeLimit } from '../../run/task-run/time-limit.js';
import { refuseWithoutWorkspace, Workspace } from '../../run/workspace.js';
import type { JudgeQuestion } from '../../steps/step.js';
import { LiveRegion } from '../check/live/live-region.js';
import { UsageError } from '../exit-codes.js';
import { onStopSignal } from '../stop-signals.js';
import type { CommandIo } from '../terminal/output.js';

interface JudgingOptions {
  definition: AgentDefinition;
  limits: LimitSettings;
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
  { definition, limits, answers, io, redact }: JudgingOptions,
  work: (judging: Judging) => Promise<Result>,
): Promise<Judged<Result>> {
  const stop = new AbortController();
  const { signal } = stop;
  let progress: JudgeProgress | undefined;
  onStopSignal(() => {
    stop.abort();
    progress?.stopping();
  });
  const { environment } = io;
  const session = await JudgeSession.open({ definition, limits, environment, redact, signal });
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
  }
}

/** How many lines of progress there are without a terminal. */
const plainLines = 10;

/** Tells on stderr how far asking a judge has come. */
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

interface SessionOptions {
  definition: AgentDefinition;
  limits: LimitSettings;
  environment: CommandIo['environment'];
  redact(text: string): string;
  /** Aborted: whatever is under way stops, without a verdict. */
  signal: AbortSignal;
}

/** A judge outside of a check, with a place for what it needs. It has to be closed. */
class JudgeSession {
  readonly identity: AgentIdentity;
  readonly #judge: Judge;
  readonly #workspace: Workspace;
  readonly #limiter: RateLimiter;
  readonly #signal: AbortSignal;

  private constructor(
    identity: AgentIdentity,
    judge: Judge,
    workspace: Workspace,
    { limits, signal }: SessionOptions,
  ) {
    this.identity = identity;
    this.#judge = judge;
    this.#workspace = workspace;
    this.#limiter = makeLocalLimits(limits).rates;
    this.#signal = signal;
  }

  /** Throws UsageError if the judge is not fit to be asked. */
  static async open(options: SessionOptions): Promise<JudgeSession> {
    const { definition, redact, signal } = options;
    const environment = { ...options.environment };
    const agent = await createAgent(definition);
    const { problems, version } = await agent.prepare({ environment, signal });
    const [problem] = problems;
    if (problem && !signal.aborted) {
      const all = problems.map(({ message }) => redact(message)).join('; ');
      throw new UsageError(`the judge ${definition.name} is not ready: ${all}`, problem.hint);
    }
    const workspace = await Workspace.create().catch(refuseWithoutWorkspace);
    const makeFolders = () => workspace.makeJudgeFolders();
    const judge = await startJudge(agent, { environment, makeFolders }).catch(
      async (error: unknown) => {
        await workspace.remove();
        throw error;
      },
    );
    const described = version === undefined ? {} : { version: redact(version) };
    return new JudgeSession({ ...agent.identity, ...described }, judge, workspace, options);
  }

  /** Without a verdict when time is up. Waiting because of limits does not count. */
  async ask(question: JudgeQuestion, timeoutMs: number): Promise<Judgement> {
    const limit = new TimeLimit(this.#signal, timeoutMs);
    try {
      const judgement = await this.#judge.ask(question, limit.signal, this.#turnsWithin(limit));
      if (limit.stopped !== 'timeout' || judgement.passed !== null) return judgement;
      const reason = `the judge gave no verdict within ${formatShortDuration(timeoutMs)}`;
      return { ...judgement, reason };
    } finally {
      limit.release();
    }
  }

  #turnsWithin(limit: TimeLimit): ModelGate {
    const limiter = this.#limiter;
    return {
      acquire: (...request) => limit.offTheClock(() => limiter.acquire(...request)),
      pause: (...request) => limiter.pause(...request),
    };
  }

  async close(): Promise<void> {
    try {
      await this.#judge.close();
    } finally {
      await this.#limiter.close();
      await this.#workspace.remove();
    }
  }
}
