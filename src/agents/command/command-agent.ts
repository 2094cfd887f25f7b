import { parseTemplate } from '../../config/command-template/go-template.js';
import {
  type Agent,
  type AgentDefinition,
  type AgentProblem,
  type AgentReadiness,
  reportNotStarted,
} from '../agent.js';
import { askShell, chooseShell, formatInstallHint } from '../program/agent-process.js';
import { type RunnableCommands, runCommand, TextAnswer } from './run-command.js';

/** An agent that is run by a command line of the user. */
export function createCommandAgent({ name, data }: AgentDefinition): Agent {
  const runPrompt = data.commands?.runPrompt;
  if (runPrompt === undefined) throw new Error(`the agent ${name} has no runPrompt`);
  const commands = { ...data.commands, runPrompt };
  const version = data.metadata?.version;
  return {
    identity: { name, type: 'command', ...(version !== undefined && { version }) },
    billing: () => ({ by: 'silence' }),
    prepare: (context) => checkCommand(commands, context),
    run: (task) =>
      reportNotStarted(async () => {
        const answer = new TextAnswer();
        const end = await runCommand(commands, task, (chunk) => answer.push(chunk));
        return answer.result(name, end, task.report);
      }),
  };
}

interface Context {
  environment: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

/** Checks that the shell and the program of a command line exist, and asks for the program's version. */
export async function checkCommand(
  { runPrompt, getVersion, env }: Pick<RunnableCommands, 'runPrompt' | 'getVersion' | 'env'>,
  { environment: inherited, signal }: Context,
): Promise<AgentReadiness> {
  const environment = { ...inherited, ...env };
  const problem = await findMissingProgram(runPrompt, environment, signal);
  if (problem) return { problems: [problem] };
  if (getVersion === undefined) return { problems: [] };
  const { end, text } = await askShell(getVersion, { environment, signal });
  const version = text.split('\n', 1)[0]?.trim().slice(0, 200) ?? '';
  return { problems: [], ...(end?.code === 0 && version !== '' && { version }) };
}

async function findMissingProgram(
  runPrompt: string,
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): Promise<AgentProblem | undefined> {
  const program = findProgramWord(runPrompt);
  // Only the shell knows whether it is a builtin, a keyword or a function.
  const question = program === undefined ? ':' : `command -v ${program}`;
  const { end } = await askShell(question, { environment, signal });
  if (end?.error) {
    return {
      message: `the shell ${chooseShell(environment)} was not found`,
      hint: 'set SHELL to a shell that is installed',
    };
  }
  if (program === undefined || end === undefined || end.code === 0) return undefined;
  return { message: `the program ${program} was not found`, hint: formatInstallHint(program) };
}

/** Finds the first word of a command line behind its assignments, where that is unambiguous. */
function findProgramWord(runPrompt: string): string | undefined {
  const [first, second] = parseTemplate(runPrompt, [
    'Prompt',
    'McpServerFileArgs',
    'AllowedToolArgs',
  ]).template.nodes;
  if (first?.kind !== 'text') return undefined;
  const found = /^\s*(?:\w+=[\w./:-]*[ \t]+)*([\w.+/-]+)(?=([ \t\n;])|$)/.exec(first.text);
  const [, word, separator] = found ?? [];
  if (word === undefined || (separator === undefined && second !== undefined)) return undefined;
  // A relative path counts from a folder that does not exist yet; a dash would be an option of `command`.
  return (word.includes('/') && !word.startsWith('/')) || word.startsWith('-') ? undefined : word;
}
