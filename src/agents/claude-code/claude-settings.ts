import type { AgentData } from '../../config/schemas/agent-schema.js';
import type { AgentProblem } from '../agent.js';
import type { Commands } from '../command/command-line.js';
import type { RunnableCommands } from '../command/run-command.js';

type Builtin = NonNullable<AgentData['builtin']>;

/** The parts of an Agent file that say how Claude Code is run. */
export interface ClaudeSettings {
  builtin: Builtin;
  commands: Commands;
}

/** Default templates, for an Agent file that overrides only some of them. */
const templates = {
  runPrompt:
    'claude -p --output-format stream-json --verbose {{ .McpServerFileArgs }} --strict-mcp-config' +
    '{{ if .AllowedToolArgs }} --allowedTools "{{ .AllowedToolArgs }}"{{ end }}' +
    ' < "$PROCTOR_PROMPT_FILE"',
  argTemplateMcpServer: '--mcp-config {{ .File }}',
  argTemplateAllowedTools: 'mcp__{{ .ServerName }}__{{ .ToolName }}',
  allowedToolsJoinSeparator: ',',
};

const templateNames = [
  'runPrompt',
  'argTemplateMcpServer',
  'argTemplateAllowedTools',
  'allowedToolsJoinSeparator',
] as const;

/** Returns the command line to run in a shell, if the Agent file overrides any part of it. */
export function findOverride({ commands }: ClaudeSettings): RunnableCommands | undefined {
  const {
    runPrompt = templates.runPrompt,
    argTemplateMcpServer = templates.argTemplateMcpServer,
    argTemplateAllowedTools = templates.argTemplateAllowedTools,
    allowedToolsJoinSeparator = templates.allowedToolsJoinSeparator,
  } = commands;
  const inForce = {
    runPrompt,
    argTemplateMcpServer,
    argTemplateAllowedTools,
    allowedToolsJoinSeparator,
  };
  const isOverridden = templateNames.some((name) => inForce[name] !== templates[name]);
  return isOverridden ? { getVersion: 'claude --version', ...commands, ...inForce } : undefined;
}

/** Default variables. Without them the first request to the model may go out before the MCP tools are there. */
const usualVariables = {
  ENABLE_TOOL_SEARCH: 'false',
  MCP_CONNECTION_NONBLOCKING: 'false',
  // The default is five seconds, too short for servers that are downloaded first.
  MCP_CONNECT_TIMEOUT_MS: '60000',
};

/** Builds the variables that the Agent file asks for; the key's value comes from the environment. */
export function buildVariables(
  { builtin, commands }: ClaudeSettings,
  inherited: NodeJS.ProcessEnv,
): Record<string, string> {
  const configured = { ...builtin.env, ...commands.env };
  const known: NodeJS.ProcessEnv = { ...inherited, ...configured };
  const usual = Object.entries(usualVariables).filter(([name]) => known[name] === undefined);
  const key = builtin.apiKey === undefined ? undefined : known[builtin.apiKey];
  return {
    ...Object.fromEntries(usual),
    ...configured,
    ...(builtin.baseUrl !== undefined && { ANTHROPIC_BASE_URL: builtin.baseUrl }),
    ...(key !== undefined && { ANTHROPIC_API_KEY: key }),
    ...(builtin.model !== undefined && { ANTHROPIC_MODEL: builtin.model }),
  };
}

/** Builds the options for the model and the params. */
export function buildModelOptions({ builtin: { model, params = {} } }: ClaudeSettings): string[] {
  const { maxSteps, system } = params;
  return [
    ...(model === undefined ? [] : ['--model', model]),
    ...(maxSteps === undefined ? [] : ['--max-turns', String(maxSteps)]),
    ...(system === undefined ? [] : ['--append-system-prompt', String(system)]),
  ];
}

/** Finds settings of the Agent file that cannot be met. */
export function findSettingsProblems(
  settings: ClaudeSettings,
  inherited: NodeJS.ProcessEnv,
): AgentProblem[] {
  const { builtin, commands } = settings;
  const { apiKey, params = {} } = builtin;
  const problems: AgentProblem[] = [];
  const known: NodeJS.ProcessEnv = { ...inherited, ...builtin.env, ...commands.env };
  if (apiKey !== undefined && !known[apiKey]) {
    const hint = `set ${apiKey} to an API key of Anthropic`;
    problems.push({ message: `the variable ${apiKey}, which apiKey names, is not set`, hint });
  }
  for (const [name, value] of Object.entries(params)) {
    const message = findParamProblem(name, value, findOverride(settings) !== undefined);
    if (message !== undefined) problems.push({ message });
  }
  return problems;
}

function findParamProblem(name: string, value: unknown, isOverridden: boolean): string | undefined {
  if (isOverridden) return `params.${name} has no effect: commands overrides the command line`;
  if (name === 'maxSteps') {
    const isCount = typeof value === 'number' && Number.isInteger(value) && value > 0;
    return isCount ? undefined : 'params.maxSteps must be a whole number above 0';
  }
  if (name === 'system')
    return typeof value === 'string' ? undefined : 'params.system must be text';
  return `claude-code has no params.${name}; it takes maxSteps and system`;
}
