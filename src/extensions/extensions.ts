import type { ExtensionAnswer, ExtensionRequest } from '../steps/step.js';
import {
  type ExtensionDefinition,
  ExtensionError,
  type ExtensionManifest,
} from './extension-definition.js';
import { ExtensionProcess } from './extension-process.js';
import { type ReadyExtension, SharedProcess } from './shared-process.js';

interface ExtensionsOptions {
  definitions: readonly ExtensionDefinition[];
  environment: NodeJS.ProcessEnv;
  /** The absolute path of an extension's program. */
  locate(definition: ExtensionDefinition, signal: AbortSignal): Promise<string>;
  redact(text: string): string;
  /** How long a process may take until it has sent its manifest, in milliseconds. */
  startLimitMs?: number;
}

/** The result of starting an extension. */
export type ExtensionCheck =
  | { extension: string; manifest: ExtensionManifest }
  | { extension: string; message: string; details?: string; hint?: string };

const defaultStartLimit = 30_000;

/** The extensions of a run: one process for each, started when it is first needed. */
export class Extensions {
  readonly #options: ExtensionsOptions;
  readonly #definitions: ReadonlyMap<string, ExtensionDefinition>;
  /** The extensions as they were last ready. */
  readonly #known = new Map<string, ReadyExtension>();
  /** Processes that new executions use. */
  readonly #current = new Map<string, SharedProcess>();
  /** All processes that may have to be stopped. */
  readonly #all = new Set<SharedProcess>();
  #closing: Promise<unknown> | undefined;

  constructor(options: ExtensionsOptions) {
    this.#options = options;
    this.#definitions = new Map(
      options.definitions.map((definition) => [definition.name, definition]),
    );
  }

  /** Starts extensions, checks their manifests, and keeps them running. */
  prepare(names: readonly string[], signal: AbortSignal): Promise<ExtensionCheck[]> {
    return Promise.all(names.map((name) => this.#check(name, signal)));
  }

  manifestOf(name: string): ExtensionManifest | undefined {
    return this.#known.get(name)?.manifest;
  }

  /** Finds what is wrong with a request by the manifest, in sentences. The extension has to be prepared. */
  flawsOf(extension: string, operation: string, args: unknown): string[] {
    const known = this.#known.get(extension);
    return known?.checks.flawsOf(operation, args) ?? [`the extension ${extension} is not running`];
  }

  /** Rejects with ExtensionError. */
  async execute(
    extension: string,
    request: ExtensionRequest,
    signal: AbortSignal,
  ): Promise<ExtensionAnswer> {
    return await this.#use(extension, signal, ({ process, checks }) => {
      const flaws = checks.flawsOf(request.operation, request.args);
      if (flaws.length === 0) return process.execute(request, signal);
      throw new ExtensionError(
        `${extension}.${request.operation} cannot be asked for: ${flaws.join('; ')}`,
      );
    });
  }

  /** Stops all processes with everything they have started. */
  async close(): Promise<void> {
    this.#closing ??= Promise.all([...this.#all].map((shared) => shared.end()));
    await this.#closing;
  }

  async #check(name: string, signal: AbortSignal): Promise<ExtensionCheck> {
    try {
      return {
        extension: name,
        manifest: await this.#use(name, signal, ({ manifest }) => manifest),
      };
    } catch (error) {
      if (!(error instanceof ExtensionError) || signal.aborted) throw error;
      const { message, details, hint } = error;
      return {
        extension: name,
        message,
        ...(details !== undefined && { details }),
        ...(hint !== undefined && { hint }),
      };
    }
  }

  async #use<Result>(
    name: string,
    signal: AbortSignal,
    task: (extension: ReadyExtension) => Result | Promise<Result>,
  ): Promise<Result> {
    return await this.#processOf(name).use(signal, (extension) => {
      this.#known.set(name, extension);
      return task(extension);
    });
  }

  #processOf(name: string): SharedProcess {
    if (this.#closing) throw new ExtensionError(`the extension ${name} has been shut down`);
    const current = this.#current.get(name);
    if (current && !current.isRetired) return current;
    const definition = this.#definitions.get(name);
    if (!definition) throw new ExtensionError(`there is no extension ${name}`);
    const next = this.#newProcess(definition);
    this.#current.set(name, next);
    return next;
  }

  #newProcess(definition: ExtensionDefinition): SharedProcess {
    const { environment, redact, locate, startLimitMs = defaultStartLimit } = this.#options;
    const shared = new SharedProcess({
      name: definition.name,
      locate: (signal) => locate(definition, signal),
      open: (program) => new ExtensionProcess({ definition, program, environment, redact }),
      startLimitMs,
      onEnd: () => this.#all.delete(shared),
    });
    this.#all.add(shared);
    return shared;
  }
}
