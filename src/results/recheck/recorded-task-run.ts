import { relative, resolve, sep } from 'node:path';
import type { AgentCall } from '../../assertions/check.js';
import { exactNumbers } from '../../events/exact-numbers.js';
import type { Judging } from '../../events/judging.js';
import type { LeftOutParts } from '../../events/left-out.js';
import type { Outcome } from '../../events/task-run-events.js';
import type { FileLine } from '../../plan/origin.js';
import { isJournal } from '../read/open-results.js';
import { ResultsDocument } from '../read/results-document.js';
import { ResultsJournal } from '../read/results-journal.js';
import type { CallRecord, TaskRunRecord, TaskRunSoFar } from '../task-run-record.js';

/** A verdict of an assertion as it was at the time. */
export interface RecordedAssertion {
  name: string;
  passed: boolean;
  reason: string;
  /** Where it was written, if the record says so. */
  at: { file: string; line: number } | null;
}

/** A call of a tool of the agent's own, by its own account. */
export interface RecordedToolStep {
  tool: string;
  args: unknown;
  /** The agent says that it was refused, or went wrong. */
  failed: boolean;
}

/** A step of setup or verify that ran. */
export interface RecordedStep {
  phase: 'setup' | 'verify';
  /** Place in its phase, from 1. */
  step: number;
  type: string;
  id: string | undefined;
  outputs: Readonly<Record<string, string>>;
  truncated: readonly string[];
  /** Of a judge: what it said, or why it said nothing. */
  verdict: { passed: boolean | null; reason: string } | undefined;
}

/** A task run out of any kind of results, as far as it can be judged again. */
export interface RecordedTaskRun {
  task: string;
  /** Null: there is no matrix. */
  variant: string | null;
  run: number;
  /** Null: it is a session of a recording, which nobody judged. */
  outcome: Outcome | null;
  /** Why there is nothing to judge: the agent did not come to its end. */
  unfinished: string | undefined;
  assertions: RecordedAssertion[];
  /** In order of arrival. */
  calls: AgentCall[];
  /** Undefined if this kind of results does not have them. */
  toolSteps: RecordedToolStep[] | undefined;
  /** What the agent was asked and answered. Undefined if this kind of results does not tell. */
  prompt: string | undefined;
  output: string | undefined;
  /** What judged it. Undefined if the record does not tell. */
  judging: Judging | undefined;
  /** In order. */
  steps: RecordedStep[];
  /** What {random.id} and {random.port} stood for; results do not tell, a journal does. */
  random: { id: string; port: number } | undefined;
}

/** A task run out of results of our own, with the text that it was parsed from. */
export function toRecordedTaskRun(
  record: TaskRunSoFar,
  text: string,
  random?: RecordedTaskRun['random'],
): RecordedTaskRun {
  // Parsed once more only where that makes a difference.
  const exact = exactNumbers(text);
  const isAsRead = exact === text || record.incomplete === true;
  const exactCalls = isAsRead ? [] : (JSON.parse(exact) as TaskRunRecord).calls;
  return { ...buildRecordedTaskRun(record, exactCalls), random };
}

/**
 * Its steps tell neither their ids nor, of a judge, what was asked. An empty answer may be one that
 * was not recorded: it is not to be judged.
 */
function toRecordedMcpcheckerTaskRun(record: TaskRunRecord): RecordedTaskRun {
  const output = record.output || undefined;
  return { ...buildRecordedTaskRun(record, []), output, toolSteps: undefined, steps: [] };
}

function buildRecordedTaskRun(
  result: TaskRunSoFar,
  exactCalls: readonly CallRecord[],
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
      call,
      kind,
      server,
      name,
      args: args ?? undefined,
      exactArgs: exactCalls[index]?.args ?? undefined,
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
  return (recorded?.steps ?? []).map((each) => {
    const { step, kind, id, outputs, truncated = [], outcome, message, judgement } = each;
    const silent = { passed: null, reason: message ?? outcome };
    const verdict = kind === 'llmJudge' ? (judgement ?? silent) : undefined;
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
  // What is missing may be just what would not hold.
  if (record.incomplete) return 'a part of its record was left out';
  // Of a session of a recording nobody knows what else was to come.
  if (outcome === null) return undefined;
  if (phases.agent?.outcome === 'passed') return undefined;
  const what = phases.agent ? 'the agent did not come to its end' : 'the agent did not run';
  const why = failure?.message ?? phases.agent?.message ?? `the outcome was ${outcome}`;
  return `${what}: ${why}`;
}

/**
 * The task runs of a file, as far as they can be judged again, one in memory at a time. Throws what
 * openResults throws, but does not ask for more than task runs. `onRead` is called after the last one.
 */
export async function* readRecordedTaskRuns(
  path: string,
  onRead: (leftOut: LeftOutParts) => void = () => {},
): AsyncGenerator<RecordedTaskRun> {
  if (await isJournal(path)) {
    const journal = await ResultsJournal.open(path);
    for await (const { record, text, random } of journal.taskRuns({ withoutCallResults: true })) {
      yield toRecordedTaskRun(record, text, random);
    }
    onRead(journal.leftOut);
    return;
  }
  const document = new ResultsDocument(path);
  for await (const { record, text, kind } of document.taskRuns()) {
    yield kind === 'own' ? toRecordedTaskRun(record, text) : toRecordedMcpcheckerTaskRun(record);
  }
  onRead(document.leftOut);
}

/** Where something is written, told from the folder of the eval. */
export function makePlaceFromEval(evalFolder: string, { file, line }: FileLine): FileLine {
  return { file: relative(evalFolder, resolve(file)).split(sep).join('/'), line };
}
