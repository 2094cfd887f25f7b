import { join, relative, resolve } from 'node:path';
import { parseWholeNumber } from '../../base/amounts.js';
import { exitCodes, UsageError } from '../../base/errors.js';
import { plural, quoteForShell, slugify } from '../../base/text.js';
import { Problems } from '../../config/problems/problem.js';
import { displayPath } from '../../config/yaml/data-file.js';
import { checkSuite } from '../../plan/checks/check-suite.js';
import { loadSuite } from '../../plan/suite.js';
import { openRecordings, type RecordingFile } from '../../results/journal/recording-file.js';
import { explainUnreadableResults } from '../../results/read/unreadable-results.js';
import { nameResultsFile } from '../../run/session/check-option-table.js';
import type { CommandRun } from '../command.js';
import {
  askTarget,
  collectAnswers,
  NoAnswerError,
  parseServerOptions,
  type Questions,
  questionsOn,
} from '../init/init-answers.js';
import {
  describeDoubts,
  listUncalledDestructiveTools,
  type ReplayableSession,
  readReplayableSessions,
  recordedServers,
  recordedTasks,
} from '../init/recorded-tasks.js';
import { makeSuiteFiles, makeTasksForTools, writeFiles } from '../init/suite-files.js';
import {
  type ChosenTool,
  chooseTools,
  listOfferedTools,
  type OfferedTools,
} from '../init/tools.js';
import { renderProblems } from '../render-problems.js';
import { listLeftOutOfRecordings, showLeftOut } from '../result/chosen-results.js';
import { shownProgram } from '../shown-program.js';
import { onStopSignal } from '../stop-signals.js';
import { type CommandIo, styleFor } from '../terminal/output.js';
import { printText, terminalLine } from '../terminal/text.js';

export async function run(call: CommandRun): Promise<number> {
  const { from } = call.options;
  if (typeof from === 'string') return initFrom(call, from);
  const unfit = ['prompt', 'session', 'mcpConfigFile'].find((key) => {
    const value = call.options[key];
    return Array.isArray(value) ? value.length > 0 : value !== undefined;
  });
  if (unfit !== undefined) {
    const flag = unfit === 'mcpConfigFile' ? 'mcp-config-file' : unfit;
    throw new UsageError(`--${flag} goes with --from`, 'give a recording of proctor proxy');
  }
  const answers = await ask(call, collectAnswers);
  if (!answers) return exitCodes.interrupted;
  const unset = Object.keys(answers.secrets).filter(
    (name) => call.io.environment[name] !== answers.secrets[name],
  );
  const io = { ...call.io, environment: { ...call.io.environment, ...answers.secrets } };
  const stop = new AbortController();
  onStopSignal(() => stop.abort());
  printText(io.stderr, 'Asking the server what it offers (it has a minute to start)\n');
  const offered = await listOfferedTools(answers.server, io, stop.signal).catch(
    (error: unknown) => {
      if (stop.signal.aborted) return undefined;
      throw error;
    },
  );
  if (!offered) return exitCodes.interrupted;
  const server = slugify(answers.name ?? offered.name ?? 'server').replaceAll('.', '-');
  const tools = chooseTools(offered.publicTools, answers.tasks);
  if (tools.chosen.length === 0) throw refuseWithoutTools(offered);
  const { folder, shownFolder, server: serverData, agent, isForced } = answers;
  const files = makeSuiteFiles({
    name: server,
    mcp: { servers: { [server]: serverData } },
    tasks: makeTasksForTools(server, tools.chosen),
    forbidden: tools.destructive.map((tool) => ({ server, tool })),
    maxToolCalls: 10,
    agent,
  });
  await writeFiles(folder, files, isForced);
  const evalPath = join(folder, 'eval.yaml');
  const problems = validate(evalPath, io);
  const { tools: offers, resources, prompts } = offered;
  const counts = [plural(offers, 'tool'), plural(resources, 'resource'), plural(prompts, 'prompt')];
  const head = `The server ${terminalLine(server)} offers ${counts.join(', ')}.`;
  printText(io.stdout, describeWritten(head, shownFolder, [...files.keys()]));
  if (problems !== '') printText(io.stderr, `\n${problems}`);
  const those = (isSo: (tool: ChosenTool) => boolean) =>
    tools.chosen.filter(isSo).map(({ name }) => name);
  const notes = [
    noteOn(
      mayChange,
      those(({ isRisky }) => isRisky),
    ),
    noteOn(
      refusable,
      those(({ isGuess }) => isGuess),
    ),
    noteOn(toSet, unset),
  ];
  const advice =
    'Then make the tasks your own: prompts as your users write them, and steps that verify.';
  printText(io.stdout, describeNextSteps(server, evalPath, { io, notes: notes.flat(), advice }));
  return exitCodes.ok;
}

/** Makes a suite of a recording of `proctor proxy`, without asking its servers. */
async function initFrom(call: CommandRun, path: string): Promise<number> {
  const { options, io } = call;
  const [recording] = (await openRecordings([path]).catch((error: unknown) => {
    throw explainUnreadableResults(path, error);
  })) ?? [undefined];
  if (!recording) {
    throw new UsageError(`--from: ${path} is not a recording`, 'proctor proxy makes one');
  }
  const { sessions, others } = await chooseSessions(recording, listOf(options.session));
  showLeftOut(listLeftOutOfRecordings([recording]), io);
  const given = listOf(options.prompt);
  if (given.length > sessions.length) {
    const message = `--prompt was given ${plural(given.length, 'time')}, for ${plural(sessions.length, 'session')} with calls that went well`;
    throw new UsageError(message, 'give one for each session, in their order');
  }
  const answers = await ask(call, async (_, questions) => ({
    prompts: await askPrompts(sessions, given, questions),
    target: await askTarget(call, questions),
  }));
  if (!answers) return exitCodes.interrupted;
  const { prompts, target } = answers;
  const { folder, shownFolder, agent, isForced } = target;
  const {
    mcp,
    variables,
    servers,
    missingFolders = [],
  } = writeServerEntry(call, recording, folder);
  const tasks = recordedTasks(sessions, prompts);
  const name = target.name ?? slugify(recording.servers.map((server) => server.name).join('-'));
  const most = Math.max(...sessions.map(({ calls }) => calls.length));
  const forbidden = listUncalledDestructiveTools(sessions, recording);
  const maxToolCalls = Math.max(10, 2 * most);
  const files = makeSuiteFiles({ name, mcp, tasks, forbidden, maxToolCalls, agent });
  await writeFiles(folder, files, isForced);
  const evalPath = join(folder, 'eval.yaml');
  const unset = variables.filter((variable) => io.environment[variable] === undefined);
  const placeholders = Object.fromEntries(unset.map((variable) => [variable, 'unset']));
  const environment = { ...placeholders, ...io.environment };
  const problems = validate(evalPath, { ...io, environment });
  const head = [
    `${plural(tasks.length, 'task')} of ${plural(sessions.length, 'session')} in ${terminalLine(path)}.`,
    ...servers.map((line) => terminalLine(line)),
  ];
  printText(io.stdout, describeWritten(head.join('\n'), shownFolder, [...files.keys()]));
  if (problems !== '') printText(io.stderr, `\n${problems}`);
  const { secrets, unknown, quotes, risky } = describeDoubts(sessions, recording);
  const unwritten = tasks
    .filter(({ prompt }) => prompt === '')
    .map((task) => `tasks/${task.name}.yaml`);
  const notes = [
    noteOn('Write what the user asked into these, until then the suite is not valid', unwritten),
    noteOn('Nothing went well in these, so there is no task', others),
    noteOn('Left out of the script and the assertions', describeLeftOutCalls(sessions)),
    noteOn('Not in the assertions, as the recording has no secrets', unknown),
    ...(agent.type === 'scripted'
      ? [
          noteOn(mayChange, risky),
          noteOn('Replace [redacted:...] in agent.yaml, the recording has no secrets', secrets),
          noteOn('Look at these in agent.yaml, as a script fills in {prompt} and {result}', quotes),
        ]
      : []),
    noteOn(notHere, missingFolders),
    noteOn(toSet, unset),
  ];
  const repeated =
    'The script repeats the recorded values: ids that the server made up then may be others now. ';
  const prune =
    'Take out assertions that another good way would not need, and add steps that verify.';
  const advice = `${agent.type === 'scripted' ? repeated : ''}${prune}`;
  printText(io.stdout, describeNextSteps(name, evalPath, { io, notes: notes.flat(), advice }));
  return exitCodes.ok;
}

function listOf(option: CommandRun['options'][string]): string[] {
  return Array.isArray(option) ? option : [];
}

async function chooseSessions(recording: RecordingFile, numbers: readonly string[]) {
  const found = await readReplayableSessions(recording);
  const wanted = new Set(
    numbers.map((number) => `session ${parseWholeNumber('--session', number, 1_000_000)}`),
  );
  const isWanted = (name: string) => wanted.size === 0 || wanted.has(name);
  const sessions = found.sessions.filter(({ name }) => isWanted(name));
  const others = found.others.filter(isWanted);
  const known = new Set([...found.sessions.map(({ name }) => name), ...found.others]);
  const unknown = [...wanted].find((name) => !known.has(name));
  if (unknown !== undefined) {
    throw new UsageError(`--session: there is no ${unknown}`, `there are ${known.size}`);
  }
  if (sessions.length > 0) return { sessions, others };
  const hint = `proctor view ${quoteForShell(recording.path)} shows what happened`;
  throw new UsageError(`no call in ${recording.path} went well: there is nothing to repeat`, hint);
}

/** Asks for what the options leave open; '' is left to the author. */
async function askPrompts(
  sessions: readonly ReplayableSession[],
  given: readonly string[],
  questions: Questions | undefined,
): Promise<string[]> {
  const prompts: string[] = [];
  for (const [index, { name, calls }] of sessions.entries()) {
    const tools = [...new Set(calls.map((call) => call.name))].map((each) => terminalLine(each));
    const shown = tools.length > 4 ? [...tools.slice(0, 3), 'and more'] : tools;
    const question = `What did the user ask in ${name} (${shown.join(', ')})? Enter: write it later`;
    prompts.push((given[index] ?? (await questions?.ask(question, '')) ?? '').trim());
  }
  return prompts;
}

/** The servers: what the command line says wins over what the recording knows. */
function writeServerEntry(call: CommandRun, recording: RecordingFile, folder: string) {
  const { server, mcpConfigFile } = call.options;
  if (typeof mcpConfigFile === 'string') {
    if (typeof server === 'string') {
      throw new UsageError('--server and --mcp-config-file both say which server it is');
    }
    return { mcp: { file: relative(folder, resolve(mcpConfigFile)) }, variables: [], servers: [] };
  }
  if (typeof server !== 'string') {
    const { servers, variables, missingFolders } = recordedServers(recording, folder);
    const lines = Object.entries(servers).map(([name, { command, args = [], url }]) => {
      const how = url ?? [command ?? '', ...args].map(quoteForShell).join(' ');
      return `Server ${name}, as it was recorded: ${how}`;
    });
    return { mcp: { servers }, variables, missingFolders, servers: lines };
  }
  const [only, ...more] = recording.servers;
  if (!only || more.length > 0) {
    const message = `--server is for one server, and the recording has ${recording.servers.length}`;
    throw new UsageError(message, 'give --mcp-config-file with all of them');
  }
  const { server: data, secrets } = parseServerOptions(call, server, folder);
  const variables = Object.keys(secrets);
  return { mcp: { servers: { [only.name]: data } }, variables, servers: [] };
}

function describeLeftOutCalls(sessions: readonly ReplayableSession[]): string[] {
  const counts = new Map<string, number>();
  for (const { leftOut } of sessions) {
    for (const [why, count] of leftOut) counts.set(why, (counts.get(why) ?? 0) + count);
  }
  return [...counts].map(([why, count]) => `${plural(count, 'call')} (${why})`);
}

/** Undefined: the user ended the questions. */
async function ask<Answers>(
  call: CommandRun,
  questionsOf: (call: CommandRun, questions: Questions | undefined) => Promise<Answers>,
): Promise<Answers | undefined> {
  const { options, io } = call;
  const canAsk = options.yes !== true && process.stdin.isTTY && io.stderr.isTerminal;
  const questions = canAsk ? questionsOn(process.stdin, io) : undefined;
  try {
    return await questionsOf(call, questions);
  } catch (error) {
    if (error instanceof NoAnswerError) return undefined;
    throw error;
  } finally {
    questions?.close();
  }
}

function refuseWithoutTools({ tools }: OfferedTools): UsageError {
  if (tools === 0) return new UsageError('the server offers no tools, so nothing to try');
  const hint = 'write a task by hand; docs/reference/task.md has every field';
  return new UsageError('no arguments could be made up for any of its tools', hint);
}

/** Validates what was written; problems that only the user can solve, such as an unset variable, do not count. */
function validate(evalPath: string, io: CommandIo): string {
  const problems = new Problems();
  const suite = loadSuite(evalPath, { environment: io.environment }, problems);
  if (suite) checkSuite(suite, io.environment, problems);
  const report = problems.report();
  return report.problems.length === 0
    ? ''
    : renderProblems(report, styleFor(io.stderr, io.environment));
}

function describeWritten(head: string, folder: string, files: readonly string[]): string {
  return [
    head,
    '',
    `Written to ${terminalLine(folder)}:`,
    ...files.map((file) => `  ${terminalLine(file)}`),
    '',
  ].join('\n');
}

const mayChange = 'Look before you run it: these tools may change something';
const toSet = 'Set before you run it (secrets are not saved)';
const notHere = 'Folders that servers were started in are not here, so add cwd to mcp-config.yaml';
const refusable =
  'Some arguments are made up. In the tasks for these tools, put in values that your server knows, or the calls will fail';

/** A note about some names; empty if there are none. */
function noteOn(what: string, things: readonly string[]): string[] {
  const shown = things.map((thing) => terminalLine(thing));
  return things.length === 0 ? [] : [`${what}: ${shown.join(', ')}`, ''];
}

function describeNextSteps(
  evalName: string,
  evalPath: string,
  { io, notes, advice }: { io: CommandIo; notes: readonly string[]; advice: string },
): string {
  const program = shownProgram(io.environment);
  const results = resolve(nameResultsFile(evalName));
  const [file, out] = [evalPath, results].map((path) =>
    terminalLine(quoteForShell(displayPath(path))),
  );
  return [
    '',
    ...notes,
    'Next:',
    ...[`check ${file}`, `view ${out}`, `report ${out}`].map((words) => `  ${program} ${words}`),
    '',
    advice,
    '',
  ].join('\n');
}
