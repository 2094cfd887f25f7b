import type { AgentDefinition } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import { formatShortDuration } from '../../analysis/figure-text.js';
import { UsageError } from '../../base/errors.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { Judgement } from '../../journal/step-events.js';
import { type Judge, startJudge } from '../../judge/judge.js';
import { type LimitSettings, makeLocalLimits } from '../../limits/limits.js';
import type { ModelGate, RateLimiter } from '../../limits/rate-limiter.js';
import type { JudgeQuestion } from '../../steps/step.js';
import { TimeLimit } from '../task-run/time-limit.js';
import { refuseWithoutWorkspace, Workspace } from '../workspace.js';

interface SessionOptions {
  definition: AgentDefinition;
  limits: LimitSettings;
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  /** Aborted: whatever is under way stops, without a verdict. */
  signal: AbortSignal;
}

/** A judge outside of a check, with a place for what it needs. It has to be closed. */
export class JudgeSession {
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
