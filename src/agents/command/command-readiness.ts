import { parseTemplate } from '../../config/command-template/go-template.js';
import type { AgentProblem, AgentReadiness } from '../agent.js';
import { askShell } from '../program/ask-program.js';
import { installHint } from '../program/install-hint.js';
import { shellOf } from '../program/shell.js';
import type { RunnableCommands } from './run-command.js';

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Whether the shell and the program of a command line are there, and the program's version. */
export async function commandReadiness(
  { runPrompt, getVersion, env }: Pick<RunnableCommands, 'runPrompt' | 'getVersion' | 'env'>,
  { environment: inherited, signal }: Context,
): Promise<AgentReadiness> {
  const environment = { ...inherited, ...env };
  const problem = await missingProgram(runPrompt, environment, signal);
  if (problem) return { problems: [problem] };
  if (getVersion === undefined) return { problems: [] };
  const { end, text } = await askShell(getVersion, { environment, signal });
  const version = text.split('\n', 1)[0]?.trim().slice(0, 200) ?? '';
  return { problems: [], ...(end?.code === 0 && version !== '' && { version }) };
}

async function missingProgram(
  runPrompt: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AgentProblem | undefined> {
  const program = programOf(runPrompt);
  // The shell knows best: it may be a builtin, a keyword or a function.
  const question = program === undefined ? ':' : `command -v ${program}`;
  const { end } = await askShell(question, { environment, signal });
  if (end?.error) {
    return {
      message: `the shell ${shellOf(environment)} was not found`,
      hint: 'set SHELL to a shell that is installed',
    };
  }
  if (program === undefined || end === undefined || end.code === 0) return undefined;
  return { message: `the program ${program} was not found`, hint: installHint(program) };
}

/** The first word of a command line behind its assignments, where that is plain to see. */
function programOf(runPrompt: string): string | undefined {
  const [first, second] = parseTemplate(runPrompt, [
    'Prompt',
    'McpServerFileArgs',
    'AllowedToolArgs',
  ]).template.nodes;
  if (first?.kind !== 'text') return undefined;
  const found = /^\s*(?:\w+=[\w./:-]*[ \t]+)*([\w.+/-]+)(?=([ \t\n;])|$)/.exec(first.text);
  const [, word, separator] = found ?? [];
  if (word === undefined || (separator === undefined && second !== undefined)) return undefined;
  // Relative to a folder that is not there yet; and a dash would be an option of the question.
  return (word.includes('/') && !word.startsWith('/')) || word.startsWith('-') ? undefined : word;
}
