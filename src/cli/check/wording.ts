import { formatCallCounts, formatDollars, formatShortNumber } from '../../analysis/figure-text.js';
import type { StepStarted } from '../../journal/step-events.js';
import type { Outcome, WaitStarted } from '../../journal/task-run-events.js';
import type { Style } from '../terminal/output.js';
import { terminalLine } from '../terminal/text.js';

/** Time that goes by, which is no measurement: in whole seconds. */
export function formatElapsed(milliseconds: number): string {
  const seconds = Math.max(Math.floor(milliseconds / 1000), 0);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} m ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} m`;
}

interface Effort {
  calls: number;
  callErrors: number;
  suspectedErrors: number;
  tokens?: { input: number; output: number };
  cost?: number;
}

/** What task runs needed, as far as it is known: `4 calls, 1 failed, 13.5k tokens, $0.04`. */
export function formatUsage(runs: readonly Effort[]): string {
  const total = (of: (run: Effort) => number) => sum(runs.map(of));
  const tokens = runs.flatMap(({ tokens }) => (tokens ? [tokens.input + tokens.output] : []));
  const costs = runs.flatMap(({ cost }) => (cost === undefined ? [] : [cost]));
  return [
    formatCallCounts(
      total(({ calls }) => calls),
      total(({ callErrors }) => callErrors),
      total(({ suspectedErrors }) => suspectedErrors),
    ),
    ...(tokens.length > 0 ? [`${formatShortNumber(sum(tokens))} tokens`] : []),
    ...(costs.length > 0 ? [formatDollars(sum(costs))] : []),
  ].join(', ');
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** The last lines of a text, and how many stood before them. */
export interface TextEnd {
  lines: string[];
  leftOut: number;
}

const maxLines = 20;
const maxLine = 500;

export function takeLastLines(text: string): TextEnd {
  const all = text.split('\n');
  const lines = all.slice(-maxLines).map((line) => truncateText(line.replace(/\r$/, ''), maxLine));
  return { lines, leftOut: all.length - lines.length };
}

/** The first lines of a text, and how many stood behind them. */
export interface TextBeginning {
  lines: string[];
  leftOut: number;
}

const maxFirstLines = 12;

export function takeFirstLines(text: string): TextBeginning {
  const all = text === '' ? [] : text.split('\n');
  const shown = all.slice(0, maxFirstLines);
  const lines = shown.map((line) => truncateText(line.replace(/\r$/, ''), maxLine));
  return { lines, leftOut: all.length - lines.length };
}

const maxSentence = 2000;

/** What is said in one line, of a text that may have several. */
export function joinLines(text: string): string {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  return truncateText(lines.filter((line) => line !== '').join(' '), maxSentence);
}

export function truncateText(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 3)}...`;
}

interface OutcomeText {
  word: string;
  format: Parameters<Style>[0];
  sign: 'passed' | 'failed' | 'cancelled';
}

const usual: Record<Outcome, OutcomeText> = {
  passed: { word: 'passed', format: 'green', sign: 'passed' },
  failed: { word: 'failed', format: 'red', sign: 'failed' },
  timeout: { word: 'timeout', format: 'red', sign: 'failed' },
  error: { word: 'error', format: 'red', sign: 'failed' },
  cancelled: { word: 'cancelled', format: 'yellow', sign: 'cancelled' },
};

/** Without an agent, a task is good if it fails. */
const withoutAgent: Record<Outcome, OutcomeText> = {
  ...usual,
  passed: { word: 'passed without an agent', format: 'red', sign: 'failed' },
  failed: { word: 'ok, fails without an agent', format: 'green', sign: 'passed' },
};

export function describeOutcome(outcome: Outcome, control: boolean): OutcomeText {
  return (control ? withoutAgent : usual)[outcome];
}

/** Of a task run without a verdict. */
export const underWay: OutcomeText = { word: 'under way', format: 'yellow', sign: 'cancelled' };

/** For a session of a recording, which is not judged. */
export const recorded: OutcomeText = { word: 'recorded', format: 'cyan', sign: 'cancelled' };

interface NumberedRun {
  task: string;
  run: number;
  runs: number;
  /** How many there will be is not known yet. */
  isOpen: boolean;
}

/** `create-pod`, or `create-pod (run 2 of 3)` where there are several. */
export function formatTaskRunName({ task, run, runs, isOpen }: NumberedRun): string {
  const place = isOpen ? `run ${run}` : `run ${run} of ${runs}`;
  return terminalLine(runs > 1 ? `${task} (${place})` : task);
}

/** What a task run waits for. */
export function describeWait({ for: what, model }: Pick<WaitStarted, 'for' | 'model'>): string {
  return what === 'agent' ? 'another agent to finish' : `its turn to ask ${model ?? 'the model'}`;
}

/** `script`, or `script look` of a step with an id. */
export function formatStepName({ kind, id }: Pick<StepStarted, 'kind' | 'id'>): string {
  return id === undefined ? kind : `${kind} ${id}`;
}
