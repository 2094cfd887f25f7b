import { describeEnd } from '../../base/processes/process-group.js';
import {
  type Agent,
  type AgentDefinition,
  type AgentProblem,
  type AgentReadiness,
  type AgentResult,
  type AgentServer,
  type AgentTask,
  reportNotStarted,
} from '../agent.js';
import { checkCommand } from '../command/command-agent.js';
import {
  prepareEnvironment,
  type RunnableCommands,
  runCommand,
  TextAnswer,
} from '../command/run-command.js';
import { writeMcpConfig, writePrivateFile } from '../program/agent-files.js';
import {
  askProgram,
  askShell,
  formatInstallHint,
  runAgentProcess,
} from '../program/agent-process.js';
import { AgentLog } from '../program/program-output.js';
import {
  buildModelOptions,
  buildVariables,
  type ClaudeSettings,
  findOverride,
  findSettingsProblems,
} from './claude-settings.js';
import { StreamReader } from './stream-reader.js';
import { createStreamResult } from './stream-summary.js';

/** Claude Code, run as the program `claude` in print mode. */
export function createClaudeCodeAgent({ name, data }: AgentDefinition): Agent {
  const { builtin, commands = {}, metadata } = data;
  if (builtin === undefined) throw new Error(`the agent ${name} is no builtin`);
  const settings = { builtin, commands };
  return {
    identity: {
      name,
      type: 'claude-code',
      ...(builtin.model !== undefined && { model: builtin.model }),
      ...(metadata?.version !== undefined && { version: metadata.version }),
    },
    billing: () => (findOverride(settings) ? undefined : { by: 'agent' }),
    prepare: (context) => checkClaude(settings, context),
    run(task) {
      const env = buildVariables(settings, task.environment);
      const override = findOverride(settings);
      return reportNotStarted(() =>
        override
          ? runOverridden(name, { ...override, env }, task)
          : runClaude(name, settings, env, task),
      );
    },
  };
}

async function runClaude(
  name: string,
  settings: ClaudeSettings,
  env: Record<string, string>,
  task: AgentTask,
): Promise<AgentResult> {
  const { servers, privateFolder, workdir, prompt, signal } = task;
  const { mcpTransport, useVirtualHome } = settings.commands;
  const log = new AgentLog(task.report);
  const reader = new StreamReader(task.report, (line) => log.push(Buffer.from(`${line}\n`)));
  const end = await runAgentProcess({
    command: 'claude',
    args: [
      ...['-p', '--output-format', 'stream-json', '--verbose'],
      ...['--mcp-config', await writeMcpConfig(privateFolder, servers, mcpTransport)],
      '--strict-mcp-config',
      ...prepareToolOptions(servers, privateFolder),
      ...buildModelOptions(settings),
    ],
    cwd: workdir,
    environment: await prepareEnvironment(task, { env, useVirtualHome }),
    input: prompt,
    signal,
    onOutput: (chunk) => reader.push(chunk),
    onLog: (chunk) => log.push(chunk),
  });
  reader.end();
  return createStreamResult(name, reader.summary, { end, log: log.end() });
}

/** Runs the user's own command line: its answer is text, unless it turns out to be stream-json. */
async function runOverridden(
  name: string,
  commands: RunnableCommands,
  task: AgentTask,
): Promise<AgentResult> {
  const reader = new StreamReader(task.report);
  const answer = new TextAnswer();
  const end = await runCommand(commands, task, (chunk) => {
    answer.push(chunk);
    reader.push(chunk);
  });
  reader.end();
  return reader.summary.isStream
    ? createStreamResult(name, reader.summary, end)
    : answer.result(name, end, task.report);
}

/** Longest list of tools on the command line, well below what a single argument can hold. */
const maxArgumentLength = 64 * 1024;

/** Builds the options that allow the tools without permission requests. Throws NotStartedError. */
function prepareToolOptions(servers: readonly AgentServer[], folder: string): string[] {
  const tools = servers.flatMap(({ name, allowedTools }) =>
    allowedTools.map((tool) => `mcp__${toClaudeName(name)}__${toClaudeName(tool)}`),
  );
  if (tools.length === 0) return [];
  const joined = tools.join(',');
  if (joined.length <= maxArgumentLength) return ['--allowedTools', joined];
  const settings = JSON.stringify({ permissions: { allow: tools } });
  return ['--settings', writePrivateFile(folder, 'claude-settings.json', settings)];
}

/** Spells a name as Claude Code does; a rule in another spelling matches nothing, or something else. */
function toClaudeName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, '_');
}

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Checks program and settings. A missing key is no problem: users may be logged in, which is not visible. */
async function checkClaude(
  settings: ClaudeSettings,
  { environment: inherited, signal }: Context,
): Promise<AgentReadiness> {
  const environment = { ...inherited, ...buildVariables(settings, inherited) };
  const context = { environment, signal };
  const commands = findOverride(settings);
  const { problems, version } = commands
    ? await checkCommand(commands, context)
    : await checkProgram(settings.commands.getVersion, context);
  return {
    problems: [...problems, ...findSettingsProblems(settings, inherited)],
    // The output is like `2.1.325 (Claude Code)`.
    ...(version !== undefined && { version: version.replace(/ .*/, '') }),
  };
}

async function checkProgram(
  getVersion: string | undefined,
  context: Context,
): Promise<AgentReadiness> {
  const { end, text, log } = await askProgram('claude', ['--version'], context);
  const problem =
    end && end.code !== 0 ? describeProblem(describeEnd(end), end.error, log) : undefined;
  if (problem) return { problems: [problem] };
  const output = getVersion === undefined ? text : (await askShell(getVersion, context)).text;
  const version = output.split('\n', 1)[0] ?? '';
  return { problems: [], ...(version !== '' && { version }) };
}

function describeProblem(end: string, error: Error | undefined, log: string): AgentProblem {
  const hint = formatInstallHint('claude');
  if (error) return { message: 'the program claude (Claude Code) was not found', hint };
  const reason = log === '' ? '' : `: ${log.split('\n', 1)[0]?.slice(0, 500)}`;
  return { message: `claude --version ${end}${reason}`, hint };
}
