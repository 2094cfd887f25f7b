import type {
  LanguageModelV3,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { RawJson } from '../../base/json-text.js';
import { addUsage, type TokenUsage } from '../../journal/usage.js';
import type { ModelGate, ModelName } from '../../limits/rate-limiter.js';
import type { AgentResult, AgentTask, ModelAnswer } from '../agent.js';
import { type Answer, askModel } from './answer.js';
import { ConversationError, RetriesExhaustedError, SilentModelError } from './model-errors.js';
import type { ModelParams } from './model-settings.js';
import type { MakeModel } from './providers.js';
import { askInTurnWithRetries } from './retries.js';
import { readUsage, TokenEstimate } from './token-usage.js';
import {
  type ModelTool,
  type ReadCall,
  readCall,
  runCall,
  type ToolOutcome,
} from './tool-calls.js';

const defaultMaxSteps = 50;
/** How many calls of one answer are made. */
const maxCalls = 100;

interface ConversationOptions {
  makeModel: MakeModel;
  /** The model's name for rate limits. */
  name: ModelName;
  turns: ModelGate;
  params: ModelParams;
  tools: readonly ModelTool[];
  signal: AbortSignal;
  report: AgentTask['report'];
  /** Called after each round of tool calls: true ends the conversation. */
  isDone(): boolean;
}

/**
 * A conversation of a model with its tools: it ends when the model calls none any more, or is done.
 *
 * The loop is ours and not that of the `ai` package: that one keeps a copy of the whole conversation
 * for each step, starts the tools of a stream that may still break and be asked for again, and
 * writes warnings to stdout.
 */
export class Conversation {
  readonly #options: ConversationOptions;
  readonly #asked: LanguageModelV3;
  readonly #tools: LanguageModelV3FunctionTool[];
  readonly #messages: LanguageModelV3Message[] = [];
  readonly #answers: ModelAnswer[] = [];
  readonly #estimate: TokenEstimate;
  readonly #warnings = new Set<string>();
  #usage: TokenUsage | undefined;
  #model: string | undefined;
  #output = '';
  #hasCalledTools = false;
  #unanswered: RetriesExhaustedError | undefined;

  constructor(options: ConversationOptions) {
    this.#options = options;
    this.#asked = options.makeModel(() => {
      this.#unanswered = undefined;
    });
    this.#tools = options.tools.map(({ name, description, schema }) => ({
      type: 'function',
      name,
      description,
      inputSchema: schema,
    }));
    this.#estimate = new TokenEstimate(this.#tools, options.params);
  }

  /** The result so far; it may be read at any time. */
  get result(): Pick<AgentResult, 'output' | 'usage' | 'model' | 'answers'> {
    return {
      output: this.#output,
      answers: this.#answers,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
    };
  }

  /** Why the model has not begun to answer, if only because it waits for its turn. Undefined: it has. */
  get unanswered(): RetriesExhaustedError | undefined {
    return this.#unanswered;
  }

  /** Throws ConversationError, RetriesExhaustedError, or the reason of the signal. */
  async run(prompt: string): Promise<void> {
    const { system, maxSteps = defaultMaxSteps } = this.#options.params;
    if (system !== undefined) this.#messages.push({ role: 'system', content: system });
    this.#messages.push({ role: 'user', content: [{ type: 'text', text: prompt }] });
    for (let step = 1; step <= maxSteps; step++) {
      const answer = await this.#ask();
      const calls = readCalls(answer);
      this.#take(answer, calls);
      if (calls.length === 0) {
        this.#checkEnd(answer);
        return;
      }
      this.#hasCalledTools = true;
      this.#messages.push(createResultsMessage(calls, await this.#runCalls(calls)));
      if (this.#options.isDone()) return;
    }
    const limit = `the limit of ${maxSteps} steps`;
    throw new ConversationError(`the model still called tools at ${limit} (params.maxSteps)`);
  }

  #ask(): Promise<Answer> {
    const { name, turns, params, signal, report } = this.#options;
    const { system: _system, maxSteps: _maxSteps, stream = false, ...settings } = params;
    const question = {
      ...settings,
      prompt: this.#messages,
      abortSignal: signal,
      ...(this.#tools.length > 0 && { tools: this.#tools }),
    };
    const tokens = this.#estimate.next(this.#messages);
    const hasAnswered = this.#messages.some(({ role }) => role === 'assistant');
    const noteUnanswered = (error: unknown, attempts = 1) => {
      if (!hasAnswered) this.#unanswered = new RetriesExhaustedError(attempts, error);
    };
    const inTurn = { model: name, turns, tokens, signal, report, onRetry: noteUnanswered };
    if (!this.#unanswered) noteUnanswered(new SilentModelError());
    return askInTurnWithRetries(() => askModel(this.#asked, question, stream), inTurn);
  }

  #take(answer: Answer, calls: readonly ReadCall[]): void {
    const { report } = this.#options;
    this.#unanswered = undefined;
    const usage = readUsage(answer.usage);
    this.#answers.push({
      at: new Date(),
      ...(answer.model !== undefined && { model: answer.model }),
      ...(usage && { usage }),
    });
    this.#usage = addUsage(this.#usage, usage);
    this.#model = answer.model ?? this.#model;
    this.#warn(answer);
    const text = joinTexts(answer);
    if (text !== '') this.#output = text;
    for (const part of answer.content) {
      if (part.type === 'reasoning' && part.text !== '') {
        report({ kind: 'thinking', text: part.text });
      }
    }
    if (text !== '') report({ kind: 'message', text });
    for (const { call, args } of calls) {
      const { toolName: tool, toolCallId: id } = call;
      const json = args && { args: new RawJson(args.text.text) };
      report({ kind: 'tool-call', tool, id, ...json });
    }
    this.#messages.push(createAnswerMessage(answer, calls));
    this.#estimate.learn(answer.usage, this.#messages);
  }

  #warn({ warnings }: Answer): void {
    for (const warning of warnings) {
      const about =
        warning.type === 'other' ? warning.message : `${warning.type} ${warning.feature}`;
      const text = [about, 'details' in warning ? warning.details : undefined]
        .filter((part) => part !== undefined)
        .join(': ');
      if (!this.#warnings.has(text)) this.#options.report({ kind: 'log', text });
      this.#warnings.add(text);
    }
  }

  #runCalls(calls: readonly ReadCall[]) {
    const { tools, signal, report } = this.#options;
    return Promise.all(
      calls.map(async (read, index) => {
        const outcome =
          index < maxCalls
            ? await runCall(read, tools, signal)
            : { isError: true, text: `only ${maxCalls} calls are made at once` };
        report({ kind: 'tool-result', id: read.call.toolCallId, ...outcome });
        return outcome;
      }),
    );
  }

  /** Throws if the last answer, which calls no tool, is no answer to the prompt either. */
  #checkEnd({ finishReason: { unified } }: Answer): void {
    if (unified === 'content-filter') {
      throw new ConversationError("a content filter stopped the model's answer");
    }
    if (unified === 'length') {
      throw new ConversationError('the model ran out of output tokens before it had answered');
    }
    if (this.#output === '' && !this.#hasCalledTools) {
      throw new ConversationError('the model gave no answer and called no tool');
    }
  }
}

function readCalls({ content }: Answer): ReadCall[] {
  return content.flatMap((part) => (part.type === 'tool-call' ? readCall(part) : []));
}

function joinTexts({ content }: Answer): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** An answer of the model as a message of the next request. */
function createAnswerMessage(
  { content }: Answer,
  calls: readonly ReadCall[],
): LanguageModelV3Message {
  const argsOf = new Map(calls.map(({ call, args }) => [call, args?.value]));
  return {
    role: 'assistant',
    content: content.flatMap((part) => {
      // Signatures of thoughts, for example: some models want them back.
      const metadata = part.providerMetadata && { providerOptions: part.providerMetadata };
      switch (part.type) {
        case 'text':
        case 'reasoning':
          return { type: part.type, text: part.text, ...metadata };
        case 'tool-call': {
          const { type, toolCallId, toolName } = part;
          // Arguments that could not be read are quoted in the result.
          return { type, toolCallId, toolName, input: argsOf.get(part) ?? {}, ...metadata };
        }
        default:
          return [];
      }
    }),
  };
}

function createResultsMessage(
  calls: readonly ReadCall[],
  outcomes: readonly ToolOutcome[],
): LanguageModelV3Message {
  return {
    role: 'tool',
    content: outcomes.flatMap(({ isError, text }, index) => {
      const call = calls[index]?.call;
      if (!call) return [];
      const { toolCallId, toolName } = call;
      const type = isError ? 'error-text' : 'text';
      return { type: 'tool-result', toolCallId, toolName, output: { type, value: text } } as const;
    }),
  };
}
