import { isAbsolute, relative } from 'node:path';
import { describeEnd, type ProcessEnd } from '../base/processes/process-group.js';
import type { StepResult } from './step.js';

/** Length of the end of a log that is searched, in characters: shells report missing programs there. */
const inspectedLength = 2000;

/** The path of a script, its text as far as it is known, and the agent's working directory. */
interface Places {
  script: string;
  text: string;
  workdir: string;
}

/**
 * Decides the outcome of a script. One that could not do its work says nothing about the agent: by exit codes 126 and 127, a
 * program was not found or could not be executed. Another exit code can hide that (`jq . | grep x`). If the
 * agent should have written that program, it did not. In all other cases the script has decided: it may have
 * another way to find out.
 */
export function decideScriptOutcome(
  end: ProcessEnd,
  outputs: Readonly<Record<string, string>>,
  places: Places,
): Pick<StepResult, 'outcome' | 'message' | 'warning'> {
  if (end.error?.code === 'E2BIG') return { outcome: 'error', message: tooLong };
  // Many scripts send their log to stdout.
  const log = [outputs.stdout, outputs.stderr]
    .map((text = '') => text.slice(-inspectedLength))
    .join('\n');
  const how = `the script ${describeEnd(end)}`;
  if (end.error) return { outcome: 'error', message: how };
  if (end.code === 126 || end.code === 127) {
    // The last message counts: what was missing before has not ended the script.
    const found = findUnstarted(log, [...notFound, ...notExecuted]).at(-1);
    const message = `${how}: ${found ? formatUnstarted(found) : meanings[end.code]}`;
    return { outcome: found && isOfAgent(found, places) ? 'failed' : 'error', message };
  }
  const missing = findUnstarted(log, notFound).filter(({ by }) => by === places.script);
  const [first] = missing;
  if (end.code === 0) {
    const warning = first && { code: 'program-missing' as const, message: formatUnstarted(first) };
    return { outcome: 'passed', ...(warning && { warning }) };
  }
  if (!first) return { outcome: 'failed', message: how };
  const cause = missing.find(
    (program) => isOutputRead(program, places.text) && !isOfAgent(program, places),
  );
  const outcome = cause ? 'error' : 'failed';
  return { outcome, message: `${how} (${formatUnstarted(cause ?? first)})` };
}

/**
 * Whether a script reads what a program should have written: `jq . | grep x`, `test "$(jq .)" = 1`, or
 * `jq . > counts; grep x counts`. A line that handles failure (`||`, `if`, `!`) decides by itself.
 */
function isOutputRead({ program, line: number }: UnstartedProgram, script: string): boolean {
  const lines = script.split('\n');
  const line = lines[number - 1] ?? '';
  if (/\|\||(?:^|[;&|({]\s*|\bthen |\bdo |\belse )\s*(?:if|elif|while|until|!)\s/.test(line))
    return false;
  const name = program.replace(/[^\w-]/g, '\\$&');
  const piped = new RegExp(`(?:\\$\\(|\`)\\s*${name}\\b|(?<![\\w/-])${name}\\b[^;&|]*\\|`);
  if (piped.test(line)) return true;
  const redirected = new RegExp(
    `(?<![\\w/-])${name}\\b[^;&|]*?(?<![\\d&])1?>{1,2}\\s*(?<file>[^\\s;&|>]+)`,
  );
  const { index = 0, 0: match = '', groups } = redirected.exec(line) ?? {};
  if (groups?.file === undefined || groups.file.startsWith('/dev/')) return false;
  const rest = [line.slice(index + match.length), ...lines.slice(number)].join('\n');
  return rest.includes(groups.file.replace(/^["']|["']$/g, ''));
}

/** Whether the program, or the script that calls it, is the agent's work. */
function isOfAgent({ program, by }: UnstartedProgram, places: Places): boolean {
  if (program.includes('/') && isInWorkdir(program, places)) return true;
  const isFile = by !== undefined && by !== places.script && !/^(?:.*\/)?(?:ba|da|z)?sh$/.test(by);
  return isFile && isInWorkdir(by, places);
}

/** Whether a path lies in the working directory; a relative one does if the script changes to it. */
function isInWorkdir(path: string, { workdir, text }: Places): boolean {
  if (isAbsolute(path)) return !relative(workdir, path).startsWith('..');
  return text.includes('PROCTOR_WORKDIR');
}

const meanings = {
  126: 'a program that it calls cannot be executed',
  127: 'a program that it calls was not found',
};

/** Messages of bash, dash and zsh about a missing program. */
const notFound = [
  /^(?<by>.*?): (?:line )?(?<line>\d+): (?:exec: )?(?<program>[^:\n]+): (?:command )?not found$/gm,
  /^(?<by>.*?):(?<line>\d+): command not found: (?<program>.+)$/gm,
];

/** Messages about a program that cannot be executed; only with 126 and 127 they are certainly the shell's. */
const notExecuted = [
  /^.*: (?<program>[^:\n]+): (?<reason>Permission denied|Is a directory|cannot execute.*|Exec format error)$/gm,
  /^.*: (?<program>[^:\n]+): (?:[^:\n]+: )?(?<reason>bad interpreter.*)$/gm,
  /^(?:.*\/)?env: [‘'"]?(?<program>[^’'"\n]+)[’'"]?: No such file or directory$/gm,
  /^.*: (?:line )?\d+: (?<program>[^:\n]+): No such file or directory$/gm,
  /^\w+: (?<program>[^:\n]*\/[^:\n]+): No such file or directory$/gm,
  /^(?:nice|nohup|stdbuf|timeout|time|xargs): (?:failed to run command )?[‘'"]?(?<program>[^:’'"\n]+)[’'"]?: No such file or directory$/gm,
];

interface UnstartedProgram {
  program: string;
  reason: string;
  /** The script that called it, as its shell names it. */
  by?: string;
  /** Line in that script; 0 if it is not known. */
  line: number;
}

/** Finds the programs that could not be started, in the order of the messages about them. */
function findUnstarted(log: string, messages: readonly RegExp[]): UnstartedProgram[] {
  return messages
    .flatMap((message) => [...log.matchAll(message)])
    .sort((a, b) => a.index - b.index)
    .flatMap(({ groups }) => {
      const { program, reason = 'command not found', by, line = '0' } = groups ?? {};
      if (program === undefined) return [];
      return [{ program, reason, line: Number(line), ...(by !== undefined && { by }) }];
    });
}

function formatUnstarted({ program, reason }: UnstartedProgram): string {
  return `could not start ${JSON.stringify(program)}: ${reason}`;
}

const tooLong =
  'the script could not be started: its variables are longer than the system takes; long texts have to come in a file, such as PROCTOR_AGENT_OUTPUT';
