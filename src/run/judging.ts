import type { Agent, AgentDefinition } from '../agents/agent.js';
import { createAgent } from '../agents/registry.js';
import { formatShortDuration } from '../analysis/figure-text.js';
import { UsageError } from '../base/errors.js';
import { readAgentFile } from '../config/files/agent-file.js';
import type { Problems } from '../config/problems/problem.js';
import type { CheckLimitsData } from '../config/schemas/eval-schema.js';
import type { Secrets } from '../config/secrets/secrets.js';
import { collectSecrets } from '../config/secrets/suite-secrets.js';
import type { AgentIdentity } from '../journal/run-events.js';
import type { Judgement } from '../journal/step-events.js';
import { type Judge, startJudge } from '../judge/judge.js';
import { makeLocalLimits } from '../limits/limits.js';
import type { ModelGate, RateLimiter } from '../limits/rate-limiter.js';
import { collectSuiteSecrets, type Suite } from '../plan/suite.js';
import type { JudgeQuestion } from '../steps/step.js';
import { canTakeModel, defineAgent, defineJudge } from './prepare/agent-definition.js';
import { mergeLimits } from './prepare/prepare-eval.js';
import { resolveAgent } from './session/check-options.js';
import { TimeLimit } from './task-run/time-limit.js';
import { refuseWithoutWorkspace, Workspace } from './workspace.js';

/** A judge that can be asked outside of a check. */
export interface ChosenJudge {
  definition: AgentDefinition;
  secrets: Secrets;
  /** Limits of the eval that the judge comes from, if it comes from one. */
  limits?: CheckLimitsData | undefined;
}

/** The judge of a suite. Undefined: it configures none, or a wrong one, as the problems say. */
export function findJudgeOfSuite(
  suite: Suite,
  environment: NodeJS.ProcessEnv,
  problems: Problems,
): ChosenJudge | undefined {
  const definition = defineJudge(suite, environment, problems);
  const { limits } = suite.eval.data.config;
  return definition && { definition, secrets: collectSuiteSecrets(suite, environment), limits };
}

/** The judge that `--judge` names: a builtin type, or an Agent file. Undefined: its file is wrong, as the problems say. */
export function findNamedJudge(
  text: string,
  environment: NodeJS.ProcessEnv,
  problems: Problems,
): ChosenJudge | undefined {
  const reference = resolveAgent(text, '--judge');
  const { path } = reference;
  const file = path === undefined ? undefined : readAgentFile(path, problems);
  const definition = defineAgent(reference, file);
  const agents = definition ? [definition.data] : [];
  return definition && { definition, secrets: collectSecrets({ agents }, environment) };
}

/** Gives a judge another model. Throws UsageError if it takes none. */
export function withModel(judge: ChosenJudge, model: string): ChosenJudge {
  const { name, data } = judge.definition;
  if (!canTakeModel(judge.definition) || !data.builtin) {
    const hint = 'a command, an ACP agent or a script brings its own';
    throw new UsageError(`--model: the judge ${name} takes no model`, hint);
  }
  const definition = { name, data: { ...data, builtin: { ...data.builtin, model } } };
  return { ...judge, definition };
}

interface JudgeSessionOptions {
  environment: NodeJS.ProcessEnv;
  redact(text: string): string;
  /** Aborted: whatever is under way stops, without a verdict. */
  signal: AbortSignal;
}

/** A judge at work outside of a check, with a place for what it needs. It has to be closed. */
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
    limiter: RateLimiter,
    signal: AbortSignal,
  ) {
    this.identity = identity;
    this.#judge = judge;
    this.#workspace = workspace;
    this.#limiter = limiter;
    this.#signal = signal;
  }

  /** Throws UsageError if the judge is not fit to be asked. */
  static async open(
    { definition, limits }: ChosenJudge,
    options: JudgeSessionOptions,
  ): Promise<JudgeSession> {
    const environment = { ...options.environment };
    const agent = await createAgent(definition);
    const identity = await checkReadiness(agent, { ...options, environment });
    const workspace = await Workspace.create().catch(refuseWithoutWorkspace);
    const makeFolders = () => workspace.makeJudgeFolders();
    const judge = await startJudge(agent, { environment, makeFolders }).catch(
      async (error: unknown) => {
        await workspace.remove();
        throw error;
      },
    );
    const { rates } = makeLocalLimits(mergeLimits(limits));
    return new JudgeSession(identity, judge, workspace, rates, options.signal);
  }

  /** Without a verdict when time is up. Waiting because of limits does not count. */
  async ask(question: JudgeQuestion, timeoutMs: number): Promise<Judgement> {
    const limit = new TimeLimit(this.#signal, timeoutMs);
    try {
      const judgement = await this.#judge.ask(question, limit.signal, this.#gateWithin(limit));
      if (limit.stopped !== 'timeout' || judgement.passed !== null) return judgement;
      const reason = `the judge gave no verdict within ${formatShortDuration(timeoutMs)}`;
      return { ...judgement, reason };
    } finally {
      limit.release();
    }
  }

  #gateWithin(limit: TimeLimit): ModelGate {
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

/** Throws UsageError if the judge lacks something, such as a key. */
async function checkReadiness(
  agent: Agent,
  { environment, redact, signal }: JudgeSessionOptions,
): Promise<AgentIdentity> {
  const { problems, version } = await agent.prepare({ environment, signal });
  const [problem] = problems;
  if (problem && !signal.aborted) {
    const all = problems.map(({ message }) => redact(message)).join('; ');
    throw new UsageError(`the judge ${agent.identity.name} is not ready: ${all}`, problem.hint);
  }
  return version === undefined ? agent.identity : { ...agent.identity, version: redact(version) };
}
