import { join } from 'node:path';
import { plural } from '../../config/plural.js';
import { Problems } from '../../config/problem.js';
import { shownName } from '../../config/read-data-file.js';
import { checkSuite } from '../../plan/checks/check-suite.js';
import { loadSuite } from '../../plan/suite.js';
import { slugOf } from '../../run/slug.js';
import { outputFiles } from '../check/output-files.js';
import { shellWord } from '../check/shell-word.js';
import type { CommandRun } from '../command.js';
import { exitCodes, UsageError } from '../exit-codes.js';
import { type ChosenTool, chooseTools } from '../init/chosen-tools.js';
import { type InitAnswers, initAnswers } from '../init/init-answers.js';
import { type OfferedTools, offeredTools } from '../init/offered-tools.js';
import { NoAnswer, questionsOn } from '../init/questions.js';
import { shownProgram } from '../init/shown-program.js';
import { suiteFiles } from '../init/suite-files.js';
import { writeFiles } from '../init/write-files.js';
import type { CommandIo } from '../io.js';
import { renderProblems } from '../render-problems.js';
import { styleFor } from '../style.js';
import { terminalLine } from '../terminal-text.js';
import { onStopSignal } from '../until-stopped.js';

export async function run(call: CommandRun): Promise<number> {
  const answers = await ask(call);
  if (!answers) return exitCodes.interrupted;
  const unset = Object.keys(answers.secrets).filter(
    (name) => call.io.environment[name] !== answers.secrets[name],
  );
  const io = { ...call.io, environment: { ...call.io.environment, ...answers.secrets } };
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  io.stderr.write('Asking the server what it offers\n');
  const offered = await offeredTools(answers.server, io, stop.signal).catch((error: unknown) => {
    if (stop.signal.aborted) return undefined;
    throw error;
  });
  if (!offered) return exitCodes.interrupted;
  const server = slugOf(answers.name ?? offered.name ?? 'server').replaceAll('.', '-');
  const tools = chooseTools(offered.tools, answers.tasks);
  if (tools.chosen.length === 0) throw nothingToCall(offered);
  const { folder, shownFolder, server: serverData, agent, isForced } = answers;
  const files = suiteFiles({ server, serverData, tools, agent });
  await writeFiles(folder, files, isForced);
  const evalPath = join(folder, 'eval.yaml');
  const problems = validate(evalPath, io);
  io.stdout.write(told(server, offered, shownFolder, [...files.keys()]));
  if (problems !== '') io.stderr.write(`\n${problems}`);
  const program = shownProgram(io.environment, process.argv[1]);
  io.stdout.write(nextSteps(server, evalPath, tools.chosen, { program, unset }));
  return exitCodes.ok;
}

/** Undefined: somebody had enough of questions. */
async function ask(call: CommandRun): Promise<InitAnswers | undefined> {
  const { options, io } = call;
  const canAsk = options.yes !== true && process.stdin.isTTY && io.stderr.isTerminal;
  const questions = canAsk ? questionsOn(process.stdin, io) : undefined;
  try {
    return await initAnswers(call, questions);
  } catch (error) {
    if (error instanceof NoAnswer) return undefined;
    throw error;
  } finally {
    questions?.close();
  }
}

function nothingToCall({ tools }: OfferedTools): UsageError {
  if (tools.length === 0) return new UsageError('the server offers no tools, so nothing to try');
  const hint = 'write a task by hand; docs/reference/task.md has every field';
  return new UsageError('no arguments could be made up for any of its tools', hint);
}

/** What was written is right but for what only people can set, such as a variable. */
function validate(evalPath: string, io: CommandIo): string {
  const problems = new Problems();
  const suite = loadSuite(evalPath, { environment: io.environment }, problems);
  if (suite) checkSuite(suite, io.environment, problems);
  const report = problems.report();
  return report.problems.length === 0
    ? ''
    : renderProblems(report, styleFor(io.stderr, io.environment));
}

function told(
  server: string,
  { tools, resources, prompts }: OfferedTools,
  folder: string,
  files: readonly string[],
): string {
  const offer = [
    plural(tools.length, 'tool'),
    plural(resources, 'resource'),
    plural(prompts, 'prompt'),
  ];
  return [
    `The server ${terminalLine(server)} offers ${offer.join(', ')}.`,
    '',
    `Written to ${terminalLine(folder)}:`,
    ...files.map((file) => `  ${terminalLine(file)}`),
    '',
  ].join('\n');
}

const refusable =
  'Their arguments are a guess, and a call that fails fails the task: put in values that your server knows';

function nextSteps(
  evalName: string,
  evalPath: string,
  chosen: readonly ChosenTool[],
  { program, unset }: { program: string; unset: readonly string[] },
): string {
  const { results } = outputFiles(evalName, { control: false, shardDurations: [] });
  const [file, out] = [evalPath, results].map((path) => terminalLine(shellWord(shownName(path))));
  const those = (isSo: (tool: ChosenTool) => boolean, what: string) => {
    const names = chosen.filter(isSo).map(({ name }) => terminalLine(name));
    return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`, ''];
  };
  return [
    '',
    ...those(({ isRisky }) => isRisky, 'Look before you run it: these tools may change something'),
    ...those(({ isGuess }) => isGuess, refusable),
    ...(unset.length > 0
      ? [`Set before you run it, as secrets are not written down: ${unset.join(', ')}`, '']
      : []),
    'Next:',
    ...[`check ${file}`, `view ${out}`, `report ${out}`].map((words) => `  ${program} ${words}`),
    '',
    'Then make the tasks your own: prompts as your users write them, and steps that verify.',
    '',
  ].join('\n');
}
