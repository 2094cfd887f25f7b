import type { EventSink } from '../../journal/event.js';
import { type Judge, startJudge } from '../../judge/judge.js';
import type { Limits } from '../../limits/limits.js';
import { formatModel, type ModelGate } from '../../limits/rate-limiter.js';
import { RecordingProxy } from '../../proxy/recording-proxy.js';
import type { ReadyParticipants } from '../variant-setup.js';
import { createContexts, type FindContext, type TaskRunContext } from './context.js';

interface HostOptions
  extends Pick<
      TaskRunContext,
      | 'events'
      | 'extensions'
      | 'keptOutputs'
      | 'workspace'
      | 'environment'
      | 'evalFolder'
      | 'keepWorkdir'
      | 'stop'
      | 'stopCleanup'
    >,
    Pick<ReadyParticipants, 'setups' | 'judge'> {
  limits: Limits;
  /** A proxy whose servers run already. */
  proxy?: RecordingProxy | undefined;
}

/**
 * What the task runs of one run share in a process, be it that of the check or a worker: the recording proxy,
 * the judge, and the context of each variant.
 */
export class TaskRunHost {
  /** By the name of the variant; undefined where there is no matrix. */
  readonly findContext: FindContext;
  readonly #options: HostOptions;
  readonly #proxy: RecordingProxy;
  readonly #judge: Judge | undefined;

  static async start(options: HostOptions): Promise<TaskRunHost> {
    const { events, environment, workspace, judge: judging } = options;
    const proxy = options.proxy ?? (await RecordingProxy.start({ sink: events, environment }));
    proxy.recordTo(events);
    try {
      const makeFolders = () => workspace.makeJudgeFolders();
      const judge = judging && (await startJudge(judging.agent, { environment, makeFolders }));
      return new TaskRunHost(options, proxy, judge);
    } catch (error) {
      await options.extensions.close();
      await proxy.close();
      throw error;
    }
  }

  private constructor(options: HostOptions, proxy: RecordingProxy, judge: Judge | undefined) {
    this.#options = options;
    this.#proxy = proxy;
    this.#judge = judge;
    const { setups, limits, judge: _, proxy: __, ...shared } = options;
    this.findContext = createContexts(setups, {
      ...shared,
      proxy,
      ...(judge && { judge }),
      agentSlots: limits.agents,
      modelTurns: warnOnPause(limits.rates, options.events),
    });
  }

  async close(): Promise<void> {
    await this.#judge?.close();
    await this.#options.extensions.close();
    await this.#proxy.close();
  }
}

/** Writes a warning, once for each model, when a provider slows the check down. */
export function warnOnPause(turns: ModelGate, events: Pick<EventSink, 'write'>): ModelGate {
  const warned = new Set<string>();
  return {
    acquire: (request, tokens, signal) => turns.acquire(request, tokens, signal),
    async pause(request, milliseconds) {
      const model = formatModel(request);
      if (!warned.has(model)) {
        warned.add(model);
        const seconds = Math.ceil(milliseconds / 1_000);
        const message = `${model} is asked too much: it gets no requests for ${seconds} s`;
        events.write({ type: 'warning', code: 'rate-limited', message });
      }
      await turns.pause(request, milliseconds);
    },
  };
}
