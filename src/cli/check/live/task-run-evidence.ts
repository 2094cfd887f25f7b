import type { RawJson } from '../../../base/json-text.js';
import type { JournalEvent } from '../../../journal/event.js';
import { type AgentMcpCall, isAgentCall, type McpCall } from '../../../journal/mcp-events.js';
import type { StepAccount, StepEnded, Vote } from '../../../journal/step-events.js';
import type { AssertionChecked } from '../../../journal/task-run-events.js';
import {
  type CallOutcome,
  decideCallOutcome,
  findCallReason,
  formatCallName,
  withSuspicion,
} from '../../render-call.js';
import {
  joinLines,
  type TextBeginning,
  type TextEnd,
  takeFirstLines,
  takeLastLines,
  truncateText,
} from '../wording.js';
import type { Redact } from './plan-summary.js';

/** A step that did not pass, with the end of what it said. */
export interface FailedStep
  extends Pick<StepEnded, 'phase' | 'step' | 'kind' | 'id' | 'source' | 'outcome'> {
  /** Of its event: the whole output is there. */
  seq: number;
  message: string;
  /** Of a script: what was run. */
  script?: { title: string; beginning: TextBeginning };
  /** The request, expectations that did not hold, votes of a judge. */
  details: string[];
  /** With what an extension logged. */
  outputs: StepText[];
}

/** The end of a text of a step. */
export interface StepText {
  name: string;
  end: TextEnd;
  /** Its middle was left out before, so the number of lines is not known. */
  isCut: boolean;
  /** With the whole, from the journal's folder. */
  file?: string;
}

export type FailedAssertion = Pick<
  AssertionChecked,
  'name' | 'reason' | 'source' | 'calls' | 'details'
>;

/** Of setup and verification together, and of cleanup. */
const maxSteps = 10;
const maxAssertions = 20;
const maxDetails = 10;
const maxCallNumbers = 20;
const maxCalls = 5;
const maxLogs = 5;
const maxWarnings = 5;

/** Outputs that say why, in the order in which people look. */
const shownOutputs = ['stdout', 'stderr', 'body', 'content', 'reason'];

/** What would be shown if the task run failed, and no more than that. */
export class TaskRunEvidence {
  /** Of setup and verification, the first. */
  readonly steps: FailedStep[] = [];
  stepsLeftOut = 0;
  /** Apart from them: a task run that passed may have some. */
  readonly cleanup: FailedStep[] = [];
  cleanupLeftOut = 0;
  readonly assertions: FailedAssertion[] = [];
  /** The latest. */
  readonly calls: RecentCall[] = [];
  /** The latest lines that the agent wrote about its work. */
  readonly logs: string[] = [];
  /** Of the phase that ended badly: the end of a log, and what else helps. */
  details: TextEnd | undefined;
  /** What warnings are about, such as the end of a server's log, by the number of their event. */
  readonly warnings = new Map<number, TextEnd>();
  readonly #redact: Redact;

  constructor(redact: Redact) {
    this.#redact = redact;
  }

  see(event: JournalEvent): void {
    switch (event.type) {
      case 'step-ended':
        if (!event.passed) this.#addStep(event);
        break;
      case 'assertion-checked':
        if (!event.passed) this.#addAssertion(event);
        break;
      case 'mcp-call':
        this.#addCall(event);
        break;
      case 'phase-ended':
        if (event.phase !== 'cleanup' && event.details) this.#addDetails(event.details);
        break;
      case 'warning':
        if (event.details) this.#addWarning(event.seq, event.details);
        break;
      case 'agent-output':
        if (event.kind === 'log' && event.text) this.#addLog(event.text);
        break;
    }
  }

  #addStep(step: StepEnded & { seq: number }): void {
    if (step.phase === 'cleanup') {
      if (this.cleanup.length < maxSteps) this.cleanup.push(this.#failedStep(step));
      else this.cleanupLeftOut += 1;
    } else if (this.steps.length < maxSteps) this.steps.push(this.#failedStep(step));
    else this.stepsLeftOut += 1;
  }

  #failedStep(step: StepEnded & { seq: number }): FailedStep {
    const { phase, kind, id, source, outcome, message = '' } = step;
    return {
      phase,
      step: step.step,
      kind,
      ...(id === undefined ? {} : { id }),
      source,
      outcome,
      seq: step.seq,
      message: this.#sentence(message),
      ...this.#scriptOf(step),
      details: this.#firstOf(stepDetails(step)),
      outputs: this.#textsOf(step),
    };
  }

  #scriptOf({ script }: StepEnded): Pick<FailedStep, 'script'> {
    const text = this.#redact(script?.text.trimEnd() ?? '');
    if (!script || (text === '' && script.file === undefined)) return {};
    const title = script.file === undefined ? 'script' : `script ${this.#redact(script.file)}`;
    return { script: { title, beginning: takeFirstLines(text) } };
  }

  #textsOf(step: StepEnded): StepText[] {
    const { outputs, truncated = [], files = {} } = step;
    const texts = shownOutputs.flatMap((name) => {
      const text = Object.hasOwn(outputs, name) ? outputs[name] : undefined;
      const file = files[name];
      const isCut = truncated.includes(name);
      return this.#stepText({ name, isCut, ...(file !== undefined && { file }) }, text);
    });
    return [...texts, ...this.#stepText({ name: 'log', isCut: false }, logText(step))];
  }

  #stepText(about: Omit<StepText, 'end'>, text = ''): StepText[] {
    const shown = this.#redact(text.trimEnd());
    return shown === '' ? [] : [{ ...about, end: takeLastLines(shown) }];
  }

  #addAssertion({ name, reason, source, calls, details = [] }: AssertionChecked): void {
    if (this.assertions.length === maxAssertions) return;
    this.assertions.push({
      name,
      reason: this.#sentence(reason),
      source,
      calls: calls.slice(0, maxCallNumbers),
      details: this.#firstOf(details),
    });
  }

  #addCall(call: McpCall): void {
    if (!isAgentCall(call)) return;
    this.calls.push(recentCallOf(call, this.#redact));
    if (this.calls.length > maxCalls) this.calls.shift();
  }

  #addDetails(text: string): void {
    this.details = takeLastLines(this.#redact(text.trimEnd()));
  }

  #addWarning(seq: number, text: string): void {
    if (this.warnings.size === maxWarnings) return;
    this.warnings.set(seq, takeLastLines(this.#redact(text.trimEnd())));
  }

  #addLog(text: string): void {
    this.logs.push(...takeLastLines(this.#redact(text.trimEnd())).lines);
    this.logs.splice(0, this.logs.length - maxLogs);
  }

  #firstOf(details: readonly string[]): string[] {
    const shown = details.slice(0, maxDetails).map((detail) => this.#sentence(detail));
    const more = details.length - shown.length;
    return more > 0 ? [...shown, `and ${more} more`] : shown;
  }

  #sentence(text: string): string {
    return joinLines(this.#redact(text));
  }
}

/** A call that has ended, in the size that is shown. */
export interface RecentCall {
  call: number;
  server: string;
  name: string;
  outcome: CallOutcome;
  durationMs: number;
  args: string;
  /** Why it did not succeed. */
  reason?: string;
}

const maxName = 200;
const maxArgs = 200;
const maxReason = 300;
/** Longer ones are not looked through for every call that comes by. */
const maxReadable = 100_000;

function recentCallOf(recorded: AgentMcpCall, redact: Redact): RecentCall {
  const call = withSuspicion(recorded);
  const reason = isReadable(call) ? findCallReason(call) : undefined;
  return {
    call: call.call,
    server: truncateText(call.server, maxName),
    name: truncateText(redact(formatCallName(call)), maxName),
    outcome: decideCallOutcome(call),
    durationMs: call.durationMs,
    args: shortArgs(call.args, redact),
    ...(reason === undefined ? {} : { reason: truncateText(redact(reason), maxReason) }),
  };
}

/** Arguments of a call or a step, as far as they fit in a line. */
export function shortArgs(args: RawJson | undefined, redact: Redact): string {
  if (args === undefined) return '';
  if (args.text.length > maxReadable) return `(arguments of ${args.text.length} characters)`;
  return truncateText(redact(args.text), maxArgs);
}

function isReadable({ error, result }: McpCall): boolean {
  return (error?.text.length ?? 0) <= maxReadable && (result?.text.length ?? 0) <= maxReadable;
}

/** What there is to say of a step that did not pass, beyond its message. */
function stepDetails({ message = '', unmet = [], judgement, ...step }: StepEnded): string[] {
  const votes = judgement?.votes ?? [];
  return [
    ...exchangeText(step),
    ...unmet.filter((text) => !message.includes(text)),
    // A single vote stands in the message.
    ...(votes.length > 1 ? votes.map(voteText) : []),
  ];
}

/** Of `http`: `GET http://localhost/orders: 500`. */
export function exchangeText({ request, response }: StepAccount): string[] {
  if (!request) return [];
  return [`${request.method} ${request.url}: ${response?.status ?? 'no answer'}`];
}

/** What an extension logged, line by line as a log has it. */
export function logText({ log = [] }: StepAccount): string {
  return log.map(({ level, message }) => `${level}: ${message.trimEnd()}`).join('\n');
}

function voteText({ passed, reason = '', error = '' }: Vote, index: number): string {
  const verdict = passed === null ? `no verdict: ${error}` : passed ? 'passed' : 'failed';
  return `vote ${index + 1}: ${verdict}${reason === '' ? '' : `: ${reason}`}`;
}
