import { isAbsolute, relative } from 'node:path';
import { describeEnd, type ProcessEnd } from '../base/processes/process-group.js';
import type { StepResult } from './step.js';

/** In characters: what a shell says of a missing program stands at the end of the log. */
const inspectedLength = 2000;

/** A script, its text as far as it is known, and where the agent worked. */
interface Places {
  script: string;
  text: string;
  workdir: string;
}

/**
 * A script that could not do its work says nothing about the agent: by what shells mean by 126 and 127, a
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
    // The last one, as what was missed before has not ended the script.
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
  const cause = missing.find((each) => isOutputRead(each, places.text) && !isOfAgent(each, places));
  const outcome = cause ? 'error' : 'failed';
  return { outcome, message: `${how} (${formatUnstarted(cause ?? first)})` };
}

/**
 * Whether a script reads what a program should have written: `jq . | grep x`, `test "$(jq .)" = 1`, or
 * `jq . > counts; grep x counts`. A line that is prepared for its failure (`||`, `if`, `!`) decides by itself.
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

/** Whether it is the agent's own work that could not be run, or that calls what is not there. */
function isOfAgent({ program, by }: UnstartedProgram, places: Places): boolean {
  if (program.includes('/') && isInWorkdir(program, places)) return true;
  const isFile = by !== undefined && by !== places.script && !/^(?:.*\/)?(?:ba|da|z)?sh$/.test(by);
  return isFile && isInWorkdir(by, places);
}

/** A relative path is where the script has gone. */
function isInWorkdir(path: string, { workdir, text }: Places): boolean {
  if (isAbsolute(path)) return !relative(workdir, path).startsWith('..');
  return text.includes('PROCTOR_WORKDIR');
}

const meanings = {
  126: 'a program that it calls cannot be executed',
  127: 'a program that it calls was not found',
};

/** How bash, dash and zsh say that there is no such program. */
const notFound = [
  /^(?<by>.*?): (?:line )?(?<line>\d+): (?:exec: )?(?<program>[^:\n]+): (?:command )?not found$/gm,
  /^(?<by>.*?):(?<line>\d+): command not found: (?<program>.+)$/gm,
];

/** How shells and programs that start others say that they cannot; with other exit codes, anybody may say so. */
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
  /** Where in that script; 0: not known. */
  line: number;
}

/** The programs that could not be started and why, by what was written about it, in that order. */
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
