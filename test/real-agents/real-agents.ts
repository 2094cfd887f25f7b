import type { AgentProgramName } from './agent-programs.js';

/** An agent program, and what is known of its ways. */
export interface RealAgent {
  program: AgentProgramName;
  /** In suite/agents, or anywhere. */
  file: string;
  /** Its own name of a tool of a server, as it stands in its steps; none: it reports no steps. */
  toolName?(server: string, tool: string): string;
  /** What it reports of three requests to the model, each with `usageOfRequest`. */
  usage: { inputTokens: number; outputTokens: number } | null;
  reportsCost: boolean;
  /** What the results say of its version, if they do. */
  version?: string;
  /** Who keeps it from a tool that is not allowed. */
  deniedBy: 'agent' | 'proxy';
}

/** What the scripted model says that each of its answers took. */
export const usageOfRequest = { input: 100, output: 10 };

const threeRequests = { inputTokens: 300, outputTokens: 30 };

const claudeCode = {
  file: 'claude-code.yaml',
  toolName: (server: string, tool: string) => `mcp__${server}__${tool}`,
  usage: threeRequests,
  reportsCost: true,
  deniedBy: 'agent',
} as const;

const claudeAgentAcp = { ...claudeCode, file: 'claude-agent-acp.yaml' } as const;

export const realAgents: readonly RealAgent[] = [
  { program: 'claude-code-2.1.197', version: '2.1.197', ...claudeCode },
  { program: 'claude-code-2.1.325', version: '2.1.325', ...claudeCode },
  { program: 'claude-agent-acp-0.49.0', ...claudeAgentAcp },
  { program: 'claude-agent-acp-0.99.1', ...claudeAgentAcp },
  {
    program: 'codex-0.166.0',
    version: 'codex-cli 0.166.0',
    file: 'codex.yaml',
    usage: null,
    reportsCost: false,
    deniedBy: 'proxy',
  },
  {
    program: 'gemini-cli-0.61.0',
    file: 'gemini.yaml',
    toolName: (server, tool) => `mcp_${server}_${tool}`,
    usage: threeRequests,
    reportsCost: false,
    deniedBy: 'agent',
  },
  {
    program: 'opencode-1.18.33',
    file: 'opencode.yaml',
    toolName: (server, tool) => `${server}_${tool}`,
    // It tells of its last request only.
    usage: { inputTokens: 100, outputTokens: 10 },
    reportsCost: true,
    // It asks for no permission to use MCP tools.
    deniedBy: 'proxy',
  },
];

/** Without the older versions of the same program. */
export const newestAgents = realAgents.filter(
  ({ program }) => !['claude-code-2.1.197', 'claude-agent-acp-0.49.0'].includes(program),
);

/** One of each kind of agent that Proctor knows. */
export const oneOfEachKind = realAgents.filter(({ program }) =>
  ['claude-code-2.1.325', 'claude-agent-acp-0.99.1', 'codex-0.166.0'].includes(program),
);

/** For the titles of tests. */
export function byName(agents: readonly RealAgent[]): [string, RealAgent][] {
  return agents.map((agent) => [agent.program, agent]);
}
