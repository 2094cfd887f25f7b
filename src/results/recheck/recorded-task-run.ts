import { relative, resolve, sep } from 'node:path';
import type { AgentCall } from '../../assertions/assertion.js';
import { findElements, findMembers, quoteInexactNumbers } from '../../base/json-text.js';
import type { LeftOutParts } from '../../journal/left-out.js';
import type { Judging, Outcome } from '../../journal/task-run-events.js';
import type { SourceLine } from '../../plan/origin.js';
import { isJournal } from '../read/open-results.js';
import { ResultsDocument } from '../read/results-document.js';
import { ResultsJournal } from '../read/results-journal.js';
import type { TaskRunRecord, TaskRunSoFar } from '../task-run-record.js';

/** The recorded verdict of an assertion. */
export interface RecordedAssertion {
  name: string;
  passed: boolean;
  reason: string;
  /** Where the assertion is written, if the record says so. */
  at: { file: string; line: number } | null;
}

/** A tool call as the agent reports it, which includes its own tools. */
export interface RecordedToolStep {
  tool: string;
  args: unknown;
  /** The agent reported that the call was refused, or failed. */
  failed: boolean;
}

/** A step of setup or verify that ran. */
export interface RecordedStep {
  phase: 'setup' | 'verify';
  /** Place of the step in its phase, from 1. */
  step: number;
  type: string;
  id: string | undefined;
  outputs: Readonly<Record<string, string>>;
  truncated: readonly string[];
  /** Verdict of a judge, or why there is none. Undefined: the step does not ask a judge. */
  verdict: { passed: boolean | null; reason: string } | undefined;
}

/** A recorded task run, as far as it is needed to judge it again. Every kind of results is converted to this. */
export interface RecordedTaskRun {
  task: string;
  /** The variant; null if there is no matrix. */
  variant: string | null;
  run: number;
  /** Null for a session of a recording, which was not judged. */
  outcome: Outcome | null;
  /** Why the task run cannot be judged, such as an agent that did not finish. Undefined if it can. */
  unfinished: string | undefined;
  assertions: RecordedAssertion[];
  /** Calls in the order in which they arrived. */
  calls: AgentCall[];
  /** Reported tool calls; undefined if this kind of results does not have them. */
  toolSteps: RecordedToolStep[] | undefined;
  /** What the agent was asked and answered. Undefined if this kind of results does not say. */
  prompt: string | undefined;
  output: string | undefined;
  /** Digests of the assertions and judges that judged it. Undefined if the record does not say. */
  judging: Judging | undefined;
  /** Steps in the order in which they ran. */
  steps: RecordedStep[];
  /** Values of {random.id} and {random.port}; only a journal has them. */
  random: { id: string; port: number } | undefined;
}

/** Converts a task run that Proctor recorded; `argsTexts` are the arguments of its calls as JSON. */
export function toRecordedTaskRun(
  record: TaskRunSoFar,
  argsTexts: readonly (string | undefined)[],
  random?: RecordedTaskRun['random'],
): RecordedTaskRun {
  // In an incomplete record calls may be missing, so that the texts do not belong to the calls in order.
  const exactArgs = record.incomplete ? [] : argsTexts.map((text) => text && parseExactly(text));
  return { ...buildRecordedTaskRun(record, exactArgs), random };
}

/** Parses JSON with numbers that JSON.parse would round as strings; undefined if there are none. */
function parseExactly(text: string): unknown {
  const exact = quoteInexactNumbers(text);
  return exact === text ? undefined : JSON.parse(exact);
}

/** Lists the arguments of the calls of a task run as JSON text, in which numbers have all their digits. */
function listArgsTexts(text: string): string[] {
  const calls = findMembers(text).findLast(({ key }) => key === 'calls');
  if (!calls) return [];
  const list = text.slice(calls.start, calls.end);
  return findElements(list).map(({ start, end }) => {
    const call = list.slice(start, end);
    const args = findMembers(call).findLast(({ key }) => key === 'args');
    return args ? call.slice(args.start, args.end) : 'null';
  });
}

/**
 * Converts a task run that mcpchecker recorded. Its steps cannot be judged again: they have no ids, and no questions
 * to a judge. An empty answer is taken as missing, as it may not have been recorded.
 */
function toRecordedMcpcheckerTaskRun(record: TaskRunRecord): RecordedTaskRun {
  const output = record.output || undefined;
  return { ...buildRecordedTaskRun(record, []), output, toolSteps: undefined, steps: [] };
}

function buildRecordedTaskRun(
  result: TaskRunSoFar,
  exactArgs: readonly unknown[],
): RecordedTaskRun {
  const { task, variant, run, outcome, assertions, calls, phases } = result;
  const steps = phases.agent?.steps ?? [];
  const failed = new Set(
    steps.flatMap(({ kind, id, isError }) => (kind === 'tool-result' && isError ? [id] : [])),
  );
  return {
    task,
    variant,
    run,
    outcome,
    unfinished: explainUnfinished(result),
    assertions,
    calls: calls.map(({ call, kind, server, name, args, isError, blocked }, index) => ({
      number: call,
      kind,
      server,
      name,
      args: args ?? undefined,
      exactArgs: exactArgs[index] ?? undefined,
      isError,
      blocked,
    })),
    toolSteps: steps.flatMap(({ kind, tool, args, id }) =>
      kind === 'tool-call' && tool !== undefined
        ? [{ tool, args, failed: id !== undefined && failed.has(id) }]
        : [],
    ),
    judging: result.judging,
    prompt: result.prompt ?? undefined,
    output: result.output,
    steps: [
      ...listRecordedSteps('setup', phases.setup),
      ...listRecordedSteps('verify', phases.verify),
    ],
    random: undefined,
  };
}

function listRecordedSteps(
  phase: RecordedStep['phase'],
  recorded: TaskRunRecord['phases']['verify'],
): RecordedStep[] {
  return (recorded?.steps ?? []).map((entry) => {
    const { step, kind, id, outputs, truncated = [], outcome, message, judgement } = entry;
    const noVerdict = { passed: null, reason: message ?? outcome };
    const verdict = kind === 'llmJudge' ? (judgement ?? noVerdict) : undefined;
    return {
      phase,
      step,
      type: kind,
      id,
      outputs,
      truncated,
      verdict: verdict && { passed: verdict.passed, reason: verdict.reason },
    };
  });
}

function explainUnfinished(record: TaskRunSoFar): string | undefined {
  const { phases, outcome, failure } = record;
  // The missing part may be what an assertion would fail on.
  if (record.incomplete) return 'a part of its record was left out';
  // A session of a recording has no planned end.
  if (outcome === null) return undefined;
  if (phases.agent?.outcome === 'passed') return undefined;
  const end = phases.agent ? 'the agent did not finish' : 'the agent did not run';
  const reason = failure?.message ?? phases.agent?.message ?? `the outcome was ${outcome}`;
  return `${end}: ${reason}`;
}

/**
 * Reads the task runs of a file to judge them again, with one in memory at a time. Throws what openResultsFile
 * throws, but needs no header. `onRead` is called after the last one, with what could not be read.
 */
export async function* readRecordedTaskRuns(
  path: string,
  onRead: (leftOut: LeftOutParts) => void = () => {},
): AsyncGenerator<RecordedTaskRun> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    const taskRuns = journal.taskRuns({ withoutCallResults: true });
    for await (const { record, argsTexts, random } of taskRuns) {
      yield toRecordedTaskRun(record, argsTexts, random);
    }
    onRead(journal.leftOut);
    return;
  }
  const document = new ResultsDocument(path);
  for await (const { record, text, kind } of document.taskRuns()) {
    yield kind === 'own'
      ? toRecordedTaskRun(record, listArgsTexts(text))
      : toRecordedMcpcheckerTaskRun(record);
  }
  onRead(document.leftOut);
}

/** Makes the path of a place relative to the folder of the eval, as in records. */
export function makePlaceFromEval(evalFolder: string, { file, line }: SourceLine): SourceLine {
  return { file: relative(evalFolder, resolve(file)).split(sep).join('/'), line };
}
