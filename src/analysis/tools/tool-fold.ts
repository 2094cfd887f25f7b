import { isObject } from '../../base/json.js';
import { DurationHistogram } from '../../results/call-statistics.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { boundSentence } from '../bounded-text.js';
import { isRejected, readErrorText, takeFirstLine } from './call-errors.js';
import { ParameterCoverage } from './parameter-coverage.js';
import type { Retry, ToolUse } from './tool-usage.js';

const maxRetries = 20;
/** Errors can all differ, say by a time in them: further texts are not kept. */
const maxErrorTexts = 200;
const shownErrorTexts = 3;

/** Adds up how a tool was used. */
export class ToolFold {
  readonly server: string;
  readonly tool: string;
  /** Latest definition that the server lists. */
  definition: unknown;
  isOffered = false;
  isAllowed: boolean | null = null;
  #calls = 0;
  #taskRuns = 0;
  #errors = 0;
  #rejected = 0;
  #blocked = 0;
  #tokens: ToolUse['tokens'] = null;
  #coverage: ParameterCoverage | null = null;
  #retryCount = 0;
  readonly #durations = new DurationHistogram();
  readonly #retries: Retry[] = [];
  readonly #errorTexts = new TextCounts();
  readonly #malformedTexts = new TextCounts();
  readonly #suspectedTexts = new TextCounts();
  #malformed = 0;
  #suspected = 0;
  readonly #tasks = new Map<string, { calls: number; taskRuns: number }>();

  constructor(server: string, tool: string) {
    this.server = server;
    this.tool = tool;
  }

  define(definition: unknown): void {
    this.definition = definition;
    this.isOffered = true;
    const schema = isObject(definition) ? definition.inputSchema : undefined;
    if (!isObject(schema)) return;
    this.#coverage ??= new ParameterCoverage();
    this.#coverage.addSchema(schema);
  }

  /** Adds the calls of the tool in one task run; there is at least one. */
  addTaskRun(task: string, calls: readonly CallRecord[]): void {
    this.#taskRuns += 1;
    const taskUse = this.#tasks.get(task) ?? { calls: 0, taskRuns: 0 };
    taskUse.calls += calls.length;
    taskUse.taskRuns += 1;
    this.#tasks.set(task, taskUse);
    for (const call of calls) this.#addCall(call);
  }

  #addCall(call: CallRecord): void {
    this.#calls += 1;
    if (call.blocked) {
      this.#blocked += 1;
      return;
    }
    if (call.isError) this.#addError(call);
    if (call.suspectedError !== undefined) {
      this.#suspected += 1;
      this.#suspectedTexts.add(call.suspectedError);
    }
    if (isRejected(call)) this.#rejected += 1;
    this.#coverage?.addCall(call.args ?? {});
    // The duration of a cancelled or unfinished call says nothing about the tool.
    if (call.durationMs !== null && !call.cancelled && !call.unfinished) {
      this.#durations.add(call.durationMs);
    }
    if (!call.tokens) return;
    this.#tokens ??= { args: 0, result: 0 };
    this.#tokens.args += call.tokens.args;
    this.#tokens.result += call.tokens.result;
  }

  #addError(call: CallRecord): void {
    this.#errors += 1;
    if (call.malformed === undefined) {
      this.#errorTexts.add(readErrorText(call));
      return;
    }
    this.#malformed += 1;
    this.#malformedTexts.add(call.malformed);
  }

  addRetry(retry: Retry): void {
    this.#retryCount += 1;
    if (this.#retries.length < maxRetries) this.#retries.push(retry);
  }

  /** The figures; `hadServer` is the number of task runs that could have used the tool. */
  use(hadServer: number, listsTools: boolean, schemaTokens: number | null): ToolUse {
    const reached = this.#calls - this.#blocked;
    const p50 = this.#durations.percentile(0.5);
    const p95 = this.#durations.percentile(0.95);
    return {
      server: this.server,
      tool: this.tool,
      offered: listsTools || this.isOffered ? this.isOffered : null,
      allowed: this.isAllowed,
      calls: this.#calls,
      taskRuns: this.#taskRuns,
      share: hadServer === 0 ? 0 : this.#taskRuns / hadServer,
      errors: this.#errors,
      errorRate: reached === 0 ? null : this.#errors / reached,
      rejected: this.#rejected,
      blocked: this.#blocked,
      errorTexts: this.#errorTexts.mostFrequent,
      malformed: this.#malformed,
      malformedTexts: this.#malformedTexts.mostFrequent,
      suspected: this.#suspected,
      suspectedTexts: this.#suspectedTexts.mostFrequent,
      durationMs: p50 === undefined || p95 === undefined ? null : { p50, p95 },
      tokens: this.#tokens,
      schemaTokens,
      parameters: this.#coverage?.parameters ?? null,
      retries: this.#retries,
      retryCount: this.#retryCount,
      tasks: [...this.#tasks].map(([task, uses]) => ({ task, ...uses })),
    };
  }
}

/** Counts texts by their first line. */
class TextCounts {
  readonly #counts = new Map<string, number>();

  add(message: string): void {
    const text = boundSentence(takeFirstLine(message));
    const times = this.#counts.get(text) ?? 0;
    if (text === '' || (times === 0 && this.#counts.size === maxErrorTexts)) return;
    this.#counts.set(text, times + 1);
  }

  get mostFrequent(): { text: string; calls: number }[] {
    return [...this.#counts]
      .map(([text, calls]) => ({ text, calls }))
      .sort((left, right) => right.calls - left.calls)
      .slice(0, shownErrorTexts);
  }
}
