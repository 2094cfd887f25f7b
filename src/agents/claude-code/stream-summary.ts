import { plural, truncate } from '../../base/text.js';
import type { TokenUsage } from '../../journal/usage.js';
import type { AgentFailure, AgentResult } from '../agent.js';
import type { CommandEnd } from '../command/run-command.js';
import { describeProcessFailure } from '../program/agent-process.js';
import type { StreamLine } from './stream-line.js';

/** How many denials are kept, as an agent may be denied any number of times. */
const maxDenials = 1_000;

/** The name of the model in messages that Claude Code wrote itself. */
const syntheticModel = '<synthetic>';

/** Adds up the lines of one run. */
export class StreamSummary {
  /** The last line of the stream, if it has come. */
  #result: StreamLine | undefined;
  #isStream = false;
  #model: string | undefined;
  #answeredBy: string | undefined;
  #lastMessage = '';
  /** The latest retry of a request to the model. */
  #retry: StreamLine | undefined;
  #denials: { tool: string }[] = [];
  #unusable: { name: string; status: string }[] = [];

  take(line: StreamLine): void {
    if (line.type === 'system' && line.subtype === 'init') this.#takeInit(line);
    else if (line.type === 'system' && line.subtype === 'api_retry') this.#retry = line;
    else if (line.type === 'assistant') this.#takeMessage(line);
    else if (line.type === 'result') this.#takeResult(line);
  }

  /** Whether the output was stream-json at all. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get result(): StreamLine | undefined {
    return this.#result;
  }

  /** The answer, else the last message. */
  get output(): string {
    return this.#result?.result ?? this.#lastMessage;
  }

  /** The latest retry, if the model has not answered any request. */
  get unanswered(): StreamLine | undefined {
    return this.#answeredBy === undefined ? this.#retry : undefined;
  }

  /** The fields of the result that do not depend on how the run ended. */
  get facts(): Omit<AgentResult, 'end' | 'failure' | 'output'> {
    const model = this.#answeredBy ?? this.#model;
    const usage = this.#result && readModelUsage(this.#result);
    const cost = this.#result?.total_cost_usd;
    return {
      ...(usage && { usage }),
      ...(cost !== undefined && { cost }),
      ...(model !== undefined && { model }),
      ...(this.#denials.length > 0 && { permissionDenials: this.#denials }),
      ...(this.#unusable.length > 0 && { unusableServers: this.#unusable }),
    };
  }

  #takeInit({ model, mcp_servers: servers }: StreamLine): void {
    this.#isStream = true;
    this.#model = model;
    this.#unusable = servers
      .filter(({ status }) => status !== 'connected')
      .map(({ name = '', status = 'unknown' }) => ({ name, status }));
  }

  #takeMessage({ message }: StreamLine): void {
    const model = message?.model;
    if (model !== syntheticModel) this.#answeredBy ??= model;
    const texts = (message?.content ?? []).flatMap(({ type, text }) =>
      type === 'text' && text !== undefined ? [text] : [],
    );
    if (texts.length > 0) this.#lastMessage = texts.join('\n');
  }

  /** Takes a result. With background work there may be several; tokens and cost in each are running totals. */
  #takeResult(line: StreamLine): void {
    this.#isStream = true;
    this.#result = line;
    const denials = line.permission_denials.map(({ tool_name: tool = '' }) => ({ tool }));
    this.#denials = this.#denials.concat(denials).slice(0, maxDenials);
  }
}

/** Adds up the tokens by model if they are reported so: only there the requests of subagents are counted. */
function readModelUsage({ usage, modelUsage }: StreamLine): TokenUsage | undefined {
  const models = Object.values(modelUsage ?? {});
  if (models.length > 0) {
    const counts = models.map((model) => [
      model.inputTokens,
      model.cacheReadInputTokens,
      model.cacheCreationInputTokens,
      model.outputTokens,
    ]);
    return createUsage(
      ...counts.reduce((sums, next) => sums.map((sum, at) => (sum ?? 0) + (next[at] ?? 0))),
    );
  }
  return (
    usage &&
    createUsage(
      usage.input_tokens,
      usage.cache_read_input_tokens,
      usage.cache_creation_input_tokens,
      usage.output_tokens,
    )
  );
}

function createUsage(input = 0, cacheRead = 0, cacheCreation = 0, output = 0): TokenUsage {
  return {
    inputTokens: input + cacheRead + cacheCreation,
    outputTokens: output,
    cachedInputTokens: cacheRead,
    ...(cacheCreation > 0 && { cacheWriteTokens: cacheCreation }),
  };
}

const maxOutputLength = 1024 * 1024;
const loginHint = 'Set ANTHROPIC_API_KEY, or start `claude` once and log in.';

/** Makes the result of a run that wrote stream-json. */
export function createStreamResult(
  name: string,
  summary: StreamSummary,
  { end, log }: CommandEnd,
): AgentResult {
  const output = truncate(summary.output, maxOutputLength);
  if (end === undefined) {
    const unanswered = findUnansweredFailure(name, summary, log);
    return { end: 'stopped', ...(unanswered && { failure: unanswered }), output, ...summary.facts };
  }
  const failure =
    findReportedFailure(name, summary.result, log) ??
    describeProcessFailure(name, end, log) ??
    findMissingResult(name, summary, log);
  return failure
    ? { end: 'failed', failure, output, ...summary.facts }
    : { end: 'finished', output, ...summary.facts };
}

/** Finds the failure that the stream itself reports: it says more than the exit code. */
function findReportedFailure(
  name: string,
  result: StreamLine | undefined,
  log: string,
): AgentFailure | undefined {
  if (!result?.is_error && !result?.subtype?.startsWith('error')) return undefined;
  const reason = result.errors[0] ?? result.result ?? result.subtype ?? 'no reason was given';
  const needsLogin = /not logged in|invalid api key|authenticat|\/login/i.test(reason);
  const details = [needsLogin ? loginHint : '', ...result.errors.slice(1), log];
  return {
    code: 'failed',
    message: `${name} failed: ${truncate(reason, 1_000)}`,
    ...withDetails(details),
  };
}

/** Finds why the model had not answered when the agent was stopped. */
function findUnansweredFailure(
  name: string,
  { unanswered }: StreamSummary,
  log: string,
): AgentFailure | undefined {
  if (!unanswered) return undefined;
  const { attempt = 1, error_status: status } = unanswered;
  const http = status === undefined ? '' : ` (HTTP ${status})`;
  const message = `the model of ${name} could not be reached${http}, ${plural(attempt, 'time')}`;
  return { code: 'failed', message, ...withDetails([log]) };
}

function findMissingResult(
  name: string,
  { result }: StreamSummary,
  log: string,
): AgentFailure | undefined {
  if (result) return undefined;
  return { code: 'failed', message: `${name} ended without a result`, ...withDetails([log]) };
}

function withDetails(parts: readonly string[]): { details?: string } {
  const details = parts.filter((part) => part !== '').join('\n');
  return details === '' ? {} : { details: truncate(details, 20_000) };
}
