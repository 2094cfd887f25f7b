import type { Agent } from '../../agents/agent.js';
import type { McpServer } from '../../config/mcp-config-file.js';
import type { Extensions } from '../../extensions/extensions.js';
import type { Judge } from '../../judge/judge.js';
import type { AgentSlots } from '../../limits/agent-slots.js';
import type { ModelTurns } from '../../limits/rate-limiter.js';
import type { RecordingProxy } from '../../proxy/recording-proxy.js';
import type { EventStream } from '../event-stream.js';
import type { OutputKeeper } from '../kept-outputs.js';
import type { Workspace } from '../workspace.js';
import type { SkillMount } from './mount-skills.js';

/** What all task runs of an evaluation have in common. */
export interface TaskRunSurroundings {
  events: EventStream;
  proxy: RecordingProxy;
  servers: readonly McpServer[];
  /** By server. */
  allowedTools: ReadonlyMap<string, readonly string[]>;
  /** None with --control. */
  agent?: Agent;
  /** The agent's own tool that loads skills. */
  skillTool: string;
  skills?: SkillMount;
  /** None: no step needs one. */
  judge?: Judge;
  extensions: Extensions;
  agentSlots: AgentSlots;
  modelTurns: ModelTurns;
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
