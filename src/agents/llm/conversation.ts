import type {
  LanguageModelV3,
  LanguageModelV3FunctionTool,
  LanguageModelV3Message,
} from '@ai-sdk/provider';
import { RawJson } from '../../base/json-text.js';
import { addUsage, type TokenUsage } from '../../journal/usage.js';
import type { ModelName, ModelTurns } from '../../limits/rate-limiter.js';
import type { AgentResult, AgentTask, ModelAnswer } from '../agent.js';
import type { Answer } from './answer.js';
import { askInTurn } from './ask-in-turn.js';
import { askModel } from './ask-model.js';
import { ConversationFailure } from './conversation-failure.js';
import type { MakeModel } from './load-model.js';
import { answerMessage, resultsMessage } from './messages.js';
import { SilentModel } from './model-error.js';
import type { ModelParams } from './model-params.js';
import type { ModelTool } from './model-tool.js';
import { GaveUp } from './retries.js';
import { readUsage } from './token-count.js';
import { TokenEstimate } from './token-estimate.js';
import { type ReadCall, readCall, runCall } from './tool-call.js';

const defaultMaxSteps = 50;
/** Of one answer. */
const maxCalls = 100;

interface Options {
  makeModel: MakeModel;
  /** As limits know it. */
  name: ModelName;
  turns: ModelTurns;
  params: ModelParams;
  tools: readonly ModelTool[];
  signal: AbortSignal;
  report: AgentTask['report'];
  /** Whether a round of tool calls may be the last. */
  isDone(): boolean;
}

/**
 * A model and its tools, until the model calls none any more, or has done what was wanted.
 *
 * The loop is ours and not that of the `ai` package: that one keeps a copy of the whole conversation
 * for each step, starts the tools of a stream that may still break and be asked for again, and
 * writes warnings to stdout.
 */
export class Conversation {
  readonly #options: Options;
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
  #unanswered: GaveUp | undefined;

  constructor(options: Options) {
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

  /** As far as it has come. */
  get result(): Pick<AgentResult, 'output' | 'usage' | 'model' | 'answers'> {
    return {
      output: this.#output,
      answers: this.#answers,
      ...(this.#usage && { usage: this.#usage }),
      ...(this.#model !== undefined && { model: this.#model }),
    };
  }

  /** Why the model has not begun to answer, if only as it waits for its turn; undefined: it has. */
  get unanswered(): GaveUp | undefined {
    return this.#unanswered;
  }

  /** Throws ConversationFailure, GaveUp, and what the signal makes it throw. */
  async run(prompt: string): Promise<void> {
    const { system, maxSteps = defaultMaxSteps } = this.#options.params;
    if (system !== undefined) this.#messages.push({ role: 'system', content: system });
    this.#messages.push({ role: 'user', content: [{ type: 'text', text: prompt }] });
    for (let step = 1; step <= maxSteps; step++) {
      const answer = await this.#ask();
      const calls = callsIn(answer);
      this.#take(answer, calls);
      if (calls.length === 0) {
        this.#checkEnd(answer);
        return;
      }
      this.#hasCalledTools = true;
      this.#messages.push(resultsMessage(calls, await this.#runCalls(calls)));
      if (this.#options.isDone()) return;
    }
    const limit = `the limit of ${maxSteps} steps`;
    throw new ConversationFailure(`the model still called tools at ${limit} (params.maxSteps)`);
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
      if (!hasAnswered) this.#unanswered = new GaveUp(attempts, error);
    };
    const inTurn = { model: name, turns, tokens, signal, report, onRetry: noteUnanswered };
    if (!this.#unanswered) noteUnanswered(new SilentModel());
    return askInTurn(() => askModel(this.#asked, question, stream), inTurn);
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
    const text = textIn(answer);
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
    this.#messages.push(answerMessage(answer, calls));
    this.#estimate.learn(answer.usage, this.#messages);
  }

  #warn({ warnings }: Answer): void {
    for (const warning of warnings) {
      const about =
        warning.type === 'other' ? warning.message : `${warning.type} ${warning.feature}`;
      const text = [about, 'details' in warning ? warning.details : undefined]
        .filter((each) => each !== undefined)
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

  /** The model calls no tool any more: is that an answer? */
  #checkEnd({ finishReason: { unified } }: Answer): void {
    if (unified === 'content-filter') {
      throw new ConversationFailure("a content filter stopped the model's answer");
    }
    if (unified === 'length') {
      throw new ConversationFailure('the model ran out of output tokens before it had answered');
    }
    if (this.#output === '' && !this.#hasCalledTools) {
      throw new ConversationFailure('the model gave no answer and called no tool');
    }
  }
}

function callsIn({ content }: Answer): ReadCall[] {
  return content.flatMap((part) => (part.type === 'tool-call' ? readCall(part) : []));
}

function textIn({ content }: Answer): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}
