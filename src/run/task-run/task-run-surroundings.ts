import type { Agent } from '../../agents/agent.js';
import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { Judge } from '../../judge/judge.js';
import type { AgentSlots } from '../../limits/limits.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import type { RecordingProxy } from '../../proxy/recording-proxy.js';
import type { EventStream } from '../event-stream.js';
import type { OutputKeeper } from '../kept-outputs.js';
import type { ServerOffer } from '../preflight/check-servers.js';
import type { Workspace } from '../workspace.js';
import type { SkillMount } from './mount-skills.js';

/** The tools of a server. */
export interface OfferedTools {
  offered: readonly string[];
  /** By the MCP config. */
  allowed: readonly string[];
}

/** What a server offers to an agent. */
export function toolsOf({ event, tools }: ServerOffer): OfferedTools {
  return { offered: tools, allowed: event.allowedTools };
}

/** What all task runs of an evaluation have in common. */
export interface TaskRunSurroundings {
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
  keepWorkdir?: 'failed' | 'always';
  /** Aborted: stop what runs, and clean up. */
  stop: AbortSignal;
  /** Aborted: stop cleaning up too. */
  stopCleanup: AbortSignal;
}
