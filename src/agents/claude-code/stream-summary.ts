import type { TokenUsage } from '../../journal/usage.js';
import type { AgentResult } from '../agent.js';
import type { StreamLine } from './stream-line.js';

/** What is kept of it: an agent is free to be refused as often as it likes. */
const maxDenials = 1_000;

/** What the model's name is where Claude Code itself speaks in its place. */
const nobody = '<synthetic>';

/** What the lines of one run add up to. */
export class StreamSummary {
  /** The last line, if it came. */
  #result: StreamLine | undefined;
  #isStream = false;
  #model: string | undefined;
  #answeredBy: string | undefined;
  #lastMessage = '';
  /** The latest try to reach a model that has not answered yet. */
  #retry: StreamLine | undefined;
  #denials: { tool: string }[] = [];
  #unusable: { name: string; status: string }[] = [];

  take(line: StreamLine): void {
    if (line.type === 'system' && line.subtype === 'init') this.#takeInit(line);
    else if (line.type === 'system' && line.subtype === 'api_retry') this.#retry = line;
    else if (line.type === 'assistant') this.#takeMessage(line);
    else if (line.type === 'result') this.#takeResult(line);
  }

  /** Whether this was stream-json at all. */
  get isStream(): boolean {
    return this.#isStream;
  }

  get result(): StreamLine | undefined {
    return this.#result;
  }

  /** The answer, or what was said last. */
  get output(): string {
    return this.#result?.result ?? this.#lastMessage;
  }

  /** The request that was sent again and again, if the model has answered none. */
  get unanswered(): StreamLine | undefined {
    return this.#answeredBy === undefined ? this.#retry : undefined;
  }

  /** All but how it ended. */
  get facts(): Omit<AgentResult, 'end' | 'failure' | 'output'> {
    const model = this.#answeredBy ?? this.#model;
    const usage = this.#result && usageOf(this.#result);
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
    if (model !== nobody) this.#answeredBy ??= model;
    const texts = (message?.content ?? []).flatMap(({ type, text }) =>
      type === 'text' && text !== undefined ? [text] : [],
    );
    if (texts.length > 0) this.#lastMessage = texts.join('\n');
  }

  /** With work in the background there may be several; tokens and cost are those of all so far. */
  #takeResult(line: StreamLine): void {
    this.#isStream = true;
    this.#result = line;
    const denials = line.permission_denials.map(({ tool_name: tool = '' }) => ({ tool }));
    this.#denials = this.#denials.concat(denials).slice(0, maxDenials);
  }
}

/** By model where that is told: only there the requests of subagents are counted. */
function usageOf({ usage, modelUsage }: StreamLine): TokenUsage | undefined {
  const models = Object.values(modelUsage ?? {});
  if (models.length > 0) {
    const counts = models.map((model) => [
      model.inputTokens,
      model.cacheReadInputTokens,
      model.cacheCreationInputTokens,
      model.outputTokens,
    ]);
    return tokens(
      ...counts.reduce((sums, next) => sums.map((sum, at) => (sum ?? 0) + (next[at] ?? 0))),
    );
  }
  return (
    usage &&
    tokens(
      usage.input_tokens,
      usage.cache_read_input_tokens,
      usage.cache_creation_input_tokens,
      usage.output_tokens,
    )
  );
}

function tokens(input = 0, cacheRead = 0, cacheCreation = 0, output = 0): TokenUsage {
  return {
    inputTokens: input + cacheRead + cacheCreation,
    outputTokens: output,
    cachedInputTokens: cacheRead,
    ...(cacheCreation > 0 && { cacheWriteTokens: cacheCreation }),
  };
}
