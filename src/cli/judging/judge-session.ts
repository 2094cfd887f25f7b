import type { AgentDefinition } from '../../agents/agent.js';
import { createAgent } from '../../agents/registry.js';
import { shortDuration } from '../../analysis/amount-text.js';
import type { Judgement } from '../../events/judgement.js';
import type { AgentIdentity } from '../../events/run-events.js';
import { startJudge } from '../../judge/agent-judge.js';
import type { Judge } from '../../judge/judge.js';
import type { LimitSettings } from '../../limits/limits.js';
import { localLimits } from '../../limits/local-limits.js';
import type { ModelTurns, RateLimiter } from '../../limits/rate-limiter.js';
import { TimeLimit } from '../../run/task-run/time-limit.js';
import { refuseWithoutWorkspace, Workspace } from '../../run/workspace.js';
import type { JudgeQuestion } from '../../steps/step-services.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';

interface SessionOptions {
  definition: AgentDefinition;
  limits: LimitSettings;
  environment: CommandIo['environment'];
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
    this.#limiter = localLimits(limits).rates;
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
    const told = version === undefined ? {} : { version: redact(version) };
    return new JudgeSession({ ...agent.identity, ...told }, judge, workspace, options);
  }

  /** Without a verdict when time is up. Waiting because of limits does not count. */
  async ask(question: JudgeQuestion, timeoutMs: number): Promise<Judgement> {
    const limit = new TimeLimit(this.#signal, timeoutMs);
    try {
      const judgement = await this.#judge.ask(question, limit.signal, this.#turnsWithin(limit));
      if (limit.stopped !== 'timeout' || judgement.passed !== null) return judgement;
      const reason = `the judge gave no verdict within ${shortDuration(timeoutMs)}`;
      return { ...judgement, reason };
    } finally {
      limit.release();
    }
  }

  #turnsWithin(limit: TimeLimit): ModelTurns {
    const limiter = this.#limiter;
    return {
      acquire: (...asked) => limit.offTheClock(() => limiter.acquire(...asked)),
      pause: (...told) => limiter.pause(...told),
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
