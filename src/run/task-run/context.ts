import { relative } from 'node:path';
import type { Agent } from '../../agents/agent.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { TaskRunStarted } from '../../journal/task-run-events.js';
import type { Judge } from '../../judge/judge.js';
import type { AgentSlots } from '../../limits/limits.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import type { PlannedTask } from '../../plan/plan.js';
import type { RecordingProxy } from '../../proxy/recording-proxy.js';
import type { EventStream } from '../journal/event-stream.js';
import type { OutputKeeper } from '../journal/kept-outputs.js';
import type { ServerOffer } from '../preflight/check-servers.js';
import type { VariantSetup } from '../variant-setup.js';
import type { Workspace } from '../workspace.js';
import type { SkillMount } from './skills.js';

/** The tools of a server. */
export interface OfferedTools {
  offered: readonly string[];
  /** By the MCP config. */
  allowed: readonly string[];
}

/** What a server offers to an agent. */
export function listTools({ event, tools }: ServerOffer): OfferedTools {
  return { offered: tools, allowed: event.allowedTools };
}

/** What all task runs of a variant have in common. */
export interface TaskRunContext {
  events: EventStream;
  proxy: RecordingProxy;
  servers: readonly McpServer[];
  /** The config that has them, where a matrix has several. */
  mcpConfigFile?: string;
  /** Names of tools, by server. */
  tools: ReadonlyMap<string, OfferedTools>;
  /** Servers that can only be asked in a task run, once one of them has recorded what they offer. */
  lateOffers: Set<string>;
  /** None with --control. */
  agent?: Agent;
  /** The agent's own tool that loads skills. */
  skillTool: string;
  skills?: SkillMount;
  /** None: no step needs one. */
  judge?: Judge;
  extensions: Extensions;
  agentSlots: AgentSlots;
  modelTurns: ModelGate;
  keptOutputs: OutputKeeper;
  workspace: Workspace;
  environment: NodeJS.ProcessEnv;
  evalFolder: string;
  keepWorkdir?: 'failed' | 'always' | undefined;
  /** Aborted: stop what runs, and clean up. */
  stop: AbortSignal;
  /** Aborted: stop cleaning up too. */
  stopCleanup: AbortSignal;
}

/** Finds the context by the name of the variant; undefined where there is no matrix. */
export type FindContext = (variant: string | undefined) => TaskRunContext | undefined;

type VariantPart =
  | 'servers'
  | 'mcpConfigFile'
  | 'tools'
  | 'lateOffers'
  | 'agent'
  | 'skillTool'
  | 'skills';

/** Makes the context of each variant from what is common to all. */
export function createContexts(
  setups: readonly VariantSetup[],
  common: Omit<TaskRunContext, VariantPart>,
): FindContext {
  const all = new Map(
    setups.map(({ variant, servers, offers, agent, skillTool, skills }) => {
      const tools = new Map(offers.map((offer) => [offer.event.server, listTools(offer)] as const));
      const lateOffers = new Set<string>();
      const own = { servers, tools, lateOffers, ...(agent && { agent }), skillTool };
      const { mcpConfigFile } = variant ?? {};
      return [
        variant?.name,
        {
          ...common,
          ...own,
          ...(mcpConfigFile !== undefined && { mcpConfigFile }),
          ...(skills && { skills }),
        },
      ] as const;
    }),
  );
  return (variant) => all.get(variant);
}

export interface TaskRunIdentity {
  /** The name of the attempt in events. */
  id: string;
  task: PlannedTask;
  /** The name of the variant, where there is a matrix. */
  variant?: string | undefined;
  run: number;
  attempt: number;
  /** Who does it, where it is not the process of the check. */
  worker?: string;
}

/** The event that a task run begins with. */
export function describeStart(
  { id, task, variant, run, attempt, worker }: TaskRunIdentity,
  workdir: string,
  random: TaskRunStarted['random'],
  evalFolder: string,
): TaskRunStarted {
  const { timeout, cleanupTimeout } = task.limits;
  return {
    type: 'task-run-started',
    taskRun: id,
    task: task.name,
    path: relative(evalFolder, task.definition.source.path),
    ...(variant !== undefined && { variant }),
    run,
    runs: task.runs.count,
    attempt,
    ...(worker !== undefined && { worker }),
    ...(task.difficulty !== undefined && { difficulty: task.difficulty }),
    labels: task.labels,
    workdir,
    random,
    ...(timeout && { timeoutMs: timeout.milliseconds }),
    ...(cleanupTimeout && { cleanupTimeoutMs: cleanupTimeout.milliseconds }),
    judging: task.judging,
  };
}

/** The environment of the scripts of a task run. The agent gets neither variable. */
export function createTaskEnvironment(
  environment: NodeJS.ProcessEnv,
  taskName: string,
  workdir: string,
): NodeJS.ProcessEnv {
  return { ...environment, PROCTOR_TASK_NAME: taskName, PROCTOR_WORKDIR: workdir };
}
