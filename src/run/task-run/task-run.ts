import type { AgentResult, AgentServer, PermissionDenial } from '../../agents/agent.js';
import { explainDenial } from '../../agents/permission-denials.js';
import { errorMessage } from '../../base/errors.js';
import type { ProcessGroup } from '../../base/processes/process-group.js';
import type { ServerChecked } from '../../journal/run-events.js';
import type { Failure, Outcome, TaskRunStarted } from '../../journal/task-run-events.js';
import type { PlannedTask } from '../../plan/plan.js';
import type { ProxiedTaskRun } from '../../proxy/proxied-task-run.js';
import { PlaceholderValues } from '../../steps/placeholder-values.js';
import { truncateRedacted } from '../journal/redaction.js';
import { makeRandomValues, type TaskRunFolders } from '../workspace.js';
import { runAgentPhase } from './agent-phase.js';
import {
  createTaskEnvironment,
  describeStart,
  listTools,
  type TaskRunContext,
  type TaskRunIdentity,
} from './context.js';
import { EvidenceFiles } from './evidence.js';
import { HarnessServices } from './harness-services.js';
import { mountSkills, SkillLoads, type SkillMount } from './skills.js';
import { explainStop, StepPhases } from './step-phase.js';
import { AssertionChecks, TaskRunState } from './task-run-state.js';
import { TimeLimit } from './time-limit.js';
import { decideVerdict, type Findings } from './verdict.js';
import { Waits } from './waits.js';

/** Taking a free slot also takes a few milliseconds; shorter waits are not recorded. */
const leastWaitMs = 10;

/** In characters. */
const maxOutput = 1024 * 1024;

/** A task run that is over, but for what it leaves behind. */
interface EndedTaskRun {
  outcome: Outcome;
  /** Settles when its servers have left and its folders are removed. */
  departure: Promise<void>;
}

/** Runs a task once, from setup to cleanup. Its end is recorded; its servers may still be leaving. */
export async function runTask(
  identity: TaskRunIdentity,
  context: TaskRunContext,
): Promise<EndedTaskRun> {
  const [folders, random] = await Promise.all([
    context.workspace.makeFolders(),
    makeRandomValues(),
  ]);
  return new TaskRunExecution(identity, context, folders, random).run();
}

class TaskRunExecution {
  readonly #identity: TaskRunIdentity;
  readonly #context: TaskRunContext;
  readonly #folders: TaskRunFolders;
  readonly #random: TaskRunStarted['random'];
  readonly #environment: NodeJS.ProcessEnv;
  readonly #values: PlaceholderValues;
  readonly #checks: AssertionChecks;
  readonly #files: EvidenceFiles;
  readonly #skills: SkillLoads;
  readonly #proxied: ProxiedTaskRun;
  readonly #services: HarnessServices;
  readonly #steps: StepPhases;
  readonly #state: TaskRunState;
  readonly #waits: Waits;
  readonly #groups: ProcessGroup[] = [];
  readonly #findings: Findings = {};
  #agentResult: AgentResult | undefined;
  #denials: PermissionDenial[] = [];
  #waitedMs = 0;

  constructor(
    identity: TaskRunIdentity,
    context: TaskRunContext,
    folders: TaskRunFolders,
    random: TaskRunStarted['random'],
  ) {
    const { task, id } = identity;
    this.#identity = identity;
    this.#context = context;
    this.#folders = folders;
    this.#random = random;
    this.#environment = createTaskEnvironment(context.environment, task.name, folders.workdir);
    this.#values = new PlaceholderValues({
      taskName: task.name,
      random,
      environment: context.environment,
    });
    this.#checks = new AssertionChecks(task.assertions, context.evalFolder, (text) =>
      context.events.redact(text),
    );
    this.#skills = new SkillLoads(context.skillTool, (call) => this.#checks.see(call));
    this.#files = new EvidenceFiles(folders.harnessFolder);
    this.#state = new TaskRunState(this.#files.calls, (call) => this.#checks.see(call));
    this.#proxied = context.proxy.open(context.servers, {
      taskRun: id,
      values: { workdir: folders.workdir, random },
    });
    const isVerifying = () => this.#state.phase === 'verify';
    this.#waits = new Waits(context.events, id);
    this.#services = new HarnessServices(this.#proxied, context, this.#waits, isVerifying);
    this.#steps = new StepPhases({
      taskRun: id,
      task: task.definition,
      evalFolder: context.evalFolder,
      events: context.events,
      values: this.#values,
      servers: context.servers.map(({ name }) => name),
      servicesWithin: (limit) => this.#services.within(limit),
      keptOutputs: context.keptOutputs,
      workdir: folders.workdir,
      harnessFolder: folders.harnessFolder,
      environment: this.#environment,
      started: (group) => this.#groups.push(group),
    });
  }

  async run(): Promise<EndedTaskRun> {
    const { events } = this.#context;
    const { id } = this.#identity;
    const started = performance.now();
    const startedAt = new Date().toISOString();
    const unfollow = events.follow(id, (event) => this.#state.apply(event));
    const seq = events.write(
      describeStart(this.#identity, this.#folders.workdir, this.#random, this.#context.evalFolder),
    );
    // If this process is killed from here on, --resume has to clean up.
    await events.flush();
    try {
      await this.#runUntilVerdict();
    } catch (error) {
      this.#findings.internal = internalError(error, seq);
    }
    // Nothing that happens from here on changes what was found.
    const { serverFailure } = this.#state;
    if (serverFailure) this.#findings.serverFailure ??= serverFailure;
    const verdict = decideVerdict(this.#findings, seq);
    const cleanupFailed = await this.#cleanUp();
    await this.#services.close();
    await this.#proxied.end();
    this.#files.close();
    for (const group of this.#groups) group.kill();
    unfollow();
    const isKept = this.#keepsWorkdir(verdict.outcome);
    const { variant } = this.#identity;
    const { usage, cost, costSource = 'reported' } = this.#agentResult ?? {};
    const { output = '' } = this.#agentResult ?? {};
    events.write({
      type: 'task-run-ended',
      taskRun: id,
      task: this.#identity.task.name,
      ...(variant !== undefined && { variant }),
      run: this.#identity.run,
      ...verdict,
      startedAt,
      durationMs: Math.round(performance.now() - started),
      ...(this.#waitedMs >= leastWaitMs && { waitedMs: this.#waitedMs }),
      output: truncateRedacted(events, output, maxOutput),
      ...(usage && { usage }),
      ...(cost !== undefined && { cost, costSource }),
      ...(this.#state.judge && { judge: this.#state.judge }),
      calls: this.#files.calls.counts,
      ...(this.#denials.length > 0 && { permissionDenials: this.#denials }),
      ...(cleanupFailed && { cleanupFailed }),
      ...(isKept && { workdir: this.#folders.workdir }),
    });
    // Once this has settled, a local `--resume` does not run it again, unless it was cancelled. A worker sends this
    // event only with the end of the attempt, in `AttemptLog.end`.
    await events.flush();
    return { outcome: verdict.outcome, departure: this.#leave(isKept) };
  }

  /** Runs setup, agent, verification and assertions: all that the time limit and the verdict are about. */
  async #runUntilVerdict(): Promise<void> {
    const { task } = this.#identity;
    const limit = new TimeLimit(this.#context.stop, task.limits.timeout?.milliseconds);
    try {
      const setup = await this.#steps.run('setup', limit);
      this.#findings.setup = setup;
      if (setup.outcome === 'passed' && (await this.#runAgent(limit))) {
        this.#findings.verify = await this.#steps.run('verify', limit, () => this.#evidence());
        if (!limit.signal.aborted) this.#checkAssertions();
      }
    } finally {
      limit.release();
      this.#waitedMs = Math.round(limit.pausedMs);
      await this.#proxied.endAgent();
      this.#noteStop(limit);
    }
  }

  /** Whether it makes sense to go on and verify. */
  async #runAgent(limit: TimeLimit): Promise<boolean> {
    const { agent, events, skills, agentSlots, modelTurns } = this.#context;
    const { id, task } = this.#identity;
    const prompt = this.#prompt(task);
    if (prompt === undefined) return false;
    this.#values.agentPrompted(prompt);
    this.#values.agentAnswered('');
    if (!agent) {
      await this.#proxied.endAgent();
      return true;
    }
    if (skills && !(await this.#mount(skills))) return false;
    const servers = await this.#agentServers(limit);
    if (!servers) return false;
    const leaveSlot = await this.#waits.slotWithin(limit, agentSlots);
    if (!leaveSlot) return false;
    const { result, failure } = await runAgentPhase({
      taskRun: id,
      agent,
      name: task.name,
      prompt,
      servers,
      workdir: this.#folders.workdir,
      privateFolder: this.#folders.privateFolder,
      environment: this.#context.environment,
      events,
      limit,
      turns: this.#waits.turnsWithin(limit, modelTurns),
      onStep: (step) => this.#skills.step(step),
      ended: () => this.#proxied.endAgent(),
    }).finally(leaveSlot);
    this.#state.isAgentDone = true;
    this.#agentResult = result;
    if (result.unpriced !== undefined) {
      const message = `the cost of this task run is not known, and --max-cost does not count it: ${result.unpriced}`;
      events.write({ type: 'warning', code: 'cost-unknown', message, taskRun: id });
    }
    this.#denials = result.permissionDenials?.map((denial) => explainDenial(denial, servers)) ?? [];
    this.#values.agentAnswered(result.output);
    if (failure && !limit.signal.aborted) this.#findings.agentFailure = failure;
    else if (failure && result.failure) this.#findings.neverBegun = failure;
    return !failure && !limit.signal.aborted;
  }

  #prompt(task: PlannedTask): string | undefined {
    try {
      return this.#values.resolve(task.definition.prompt?.text ?? '');
    } catch (error) {
      this.#cannotStart('the prompt', error);
      return undefined;
    }
  }

  async #mount(skills: SkillMount): Promise<boolean> {
    try {
      await mountSkills(skills, this.#folders.workdir);
      return true;
    } catch (error) {
      this.#cannotStart('the skills', error);
      return false;
    }
  }

  #cannotStart(what: string, error: unknown): void {
    const message = `${what}: ${errorMessage(error)}`;
    const { seq = 1 } = this.#state.lastPhase ?? {};
    this.#findings.agentFailure = { category: 'agent-not-started', message, evidence: seq };
  }

  #evidence(): Promise<NodeJS.ProcessEnv> {
    return this.#files.complete(this.#agentResult?.output ?? '');
  }

  #checkAssertions(): void {
    this.#skills.end();
    const failed: { seq: number; name: string; reason: string }[] = [];
    for (const event of this.#checks.verdicts(this.#identity.id)) {
      const seq = this.#context.events.write(event);
      if (!event.passed) failed.push({ seq, name: event.name, reason: event.reason });
    }
    this.#findings.assertions = { checked: this.#checks.size, failed };
  }

  async #cleanUp(): Promise<true | undefined> {
    const { task } = this.#identity;
    const limit = new TimeLimit(
      this.#context.stopCleanup,
      task.limits.cleanupTimeout?.milliseconds,
    );
    try {
      // Without its evidence it is still needed.
      const evidence = () => this.#evidence().catch(() => ({}));
      const { outcome } = await this.#steps.run('cleanup', limit, evidence);
      return outcome === 'passed' ? undefined : true;
    } catch {
      return true;
    } finally {
      limit.release();
    }
  }

  #noteStop(limit: TimeLimit): void {
    if (!limit.signal.aborted) return;
    const why = explainStop(limit);
    const { phase = 'setup', seq = 1 } = this.#state.lastPhase ?? {};
    const seconds = (this.#identity.task.limits.timeout?.milliseconds ?? 0) / 1000;
    const message =
      why === 'timeout'
        ? `the limit of ${seconds} s was reached in the phase ${phase}`
        : `the run was interrupted in the phase ${phase}`;
    this.#findings.stopped = { why, message, evidence: seq };
  }

  /** The servers as the agent gets them; undefined: one that is there since setup cannot be used. */
  async #agentServers(limit: TimeLimit): Promise<AgentServer[] | undefined> {
    const { servers, lateOffers } = this.#context;
    const tools = new Map(this.#context.tools);
    for (const server of servers.filter(({ name }) => !tools.has(name))) {
      try {
        const offer = await this.#services.offerOf(server, limit.signal);
        tools.set(server.name, listTools(offer));
        if (!lateOffers.has(server.name)) this.#recordOffer(offer.event);
        lateOffers.add(server.name);
      } catch (error) {
        if (!limit.signal.aborted) this.#noteUnusable(server.name, error);
        return undefined;
      }
    }
    return [...this.#proxied.urls].map(([name, url]) => {
      const { offered = [], allowed = [] } = tools.get(name) ?? {};
      const server = { name, url, allowedTools: allowed };
      const by = servers.find((server) => server.name === name)?.restrictedBy;
      if (by === undefined) return server;
      const others = offered.filter((tool) => !allowed.includes(tool));
      return { ...server, restriction: { by, tools: others } };
    });
  }

  #recordOffer(event: ServerChecked): void {
    const { events, mcpConfigFile } = this.#context;
    const config = mcpConfigFile === undefined ? {} : { mcpConfigFile };
    events.write({ ...event, ...config, taskRun: this.#identity.id });
  }

  #noteUnusable(server: string, error: unknown): void {
    const text = errorMessage(error);
    const message = `after setup: ${text.includes(server) ? text : `the server ${server}: ${text}`}`;
    const { seq = 1 } = this.#state.lastPhase ?? {};
    this.#findings.serverFailure = { category: 'server-failed', message, evidence: seq };
  }

  #keepsWorkdir(outcome: Outcome): boolean {
    const { keepWorkdir } = this.#context;
    return keepWorkdir === 'always' || (keepWorkdir === 'failed' && outcome !== 'passed');
  }

  /** The folders go last: a server may write into them until it has left. */
  async #leave(keepsWorkdir: boolean): Promise<void> {
    await this.#proxied.close();
    await this.#context.workspace.removeFolders(this.#folders, keepsWorkdir);
  }
}

function internalError(error: unknown, evidence: number): Failure {
  const message = errorMessage(error);
  return { category: 'internal-error', message, evidence };
}
