import { describeEnd } from '../../base/processes/process-group.js';
import type { AgentProblem, AgentReadiness } from '../agent.js';
import { commandReadiness } from '../command/command-readiness.js';
import { askProgram, askShell } from '../program/ask-program.js';
import { installHint } from '../program/install-hint.js';
import {
  type ClaudeSettings,
  claudeVariables,
  overridden,
  settingsProblems,
} from './claude-settings.js';

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Is the program there? A missing key is no problem: people log in, and nobody can tell. */
export async function claudeReadiness(
  settings: ClaudeSettings,
  { environment: inherited, signal }: Context,
): Promise<AgentReadiness> {
  const environment = { ...inherited, ...claudeVariables(settings, inherited) };
  const context = { environment, signal };
  const commands = overridden(settings);
  const { problems, version } = commands
    ? await commandReadiness(commands, context)
    : await programReadiness(settings.commands.getVersion, context);
  return {
    problems: [...problems, ...settingsProblems(settings, inherited)],
    // It says `2.1.325 (Claude Code)`.
    ...(version !== undefined && { version: version.replace(/ .*/, '') }),
  };
}

async function programReadiness(
  getVersion: string | undefined,
  context: Context,
): Promise<AgentReadiness> {
  const { end, text, log } = await askProgram('claude', ['--version'], context);
  const problem = end && end.code !== 0 ? problemOf(describeEnd(end), end.error, log) : undefined;
  if (problem) return { problems: [problem] };
  const told = getVersion === undefined ? text : (await askShell(getVersion, context)).text;
  const version = told.split('\n', 1)[0] ?? '';
  return { problems: [], ...(version !== '' && { version }) };
}

function problemOf(end: string, error: Error | undefined, log: string): AgentProblem {
  const hint = installHint('claude');
  if (error) return { message: 'the program claude (Claude Code) was not found', hint };
  const reason = log === '' ? '' : `: ${log.split('\n', 1)[0]?.slice(0, 500)}`;
  return { message: `claude --version ${end}${reason}`, hint };
}
