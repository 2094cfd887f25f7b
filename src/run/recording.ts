import { rm } from 'node:fs/promises';
import type { McpServer } from '../config/mcp-config-file.js';
import type { Redactor } from '../config/redactor.js';
import type { EventBody, EventSink } from '../events/event.js';
import { journalSchema } from '../events/run-events.js';
import { proctorVersion } from '../proctor-version.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import type { JournalError } from './journal-error.js';
import { JournalWriter } from './journal-writer.js';

export interface RecordingOptions {
  servers: readonly McpServer[];
  redactor: Redactor;
  environment: NodeJS.ProcessEnv;
  /** Where the journal goes. */
  path: string;
  overwrite: boolean;
  port?: number;
  /** Told every event, after it was handed to the journal. */
  onEvent(event: EventBody): void;
  /** The journal cannot be written any more. */
  onFailure(failure: JournalError): void;
}

/** The proxy on its own: servers behind it, a journal of what passes. */
export class Recording implements EventSink {
  urls: ReadonlyMap<string, string> = new Map();
  readonly #journal: JournalWriter;
  readonly #onEvent: RecordingOptions['onEvent'];
  readonly #started = performance.now();
  #proxy: RecordingProxy | undefined;
  #calls = 0;

  private constructor(journal: JournalWriter, onEvent: RecordingOptions['onEvent']) {
    this.#journal = journal;
    this.#onEvent = onEvent;
  }

  /** Throws a JournalError, or what the operating system says about the port. */
  static async start(options: RecordingOptions): Promise<Recording> {
    const { servers, redactor, environment, path, port, overwrite, onEvent, onFailure } = options;
    const journal = await JournalWriter.create(path, { redactor, overwrite, onFailure });
    const recording = new Recording(journal, onEvent);
    const proxy = await RecordingProxy.start({
      sink: recording,
      environment,
      ...(port !== undefined && { port }),
    }).catch(async (error: unknown) => {
      await journal.close();
      // Nothing was recorded. A file that somebody named may have been there before us.
      if (!overwrite) await rm(path);
      throw error;
    });
    recording.#proxy = proxy;
    recording.write({
      type: 'run-started',
      schema: journalSchema,
      proctor: proctorVersion,
      command: 'proxy',
      mcpServers: servers.map(({ name, transport }) => ({ name, transport })),
    });
    recording.urls = proxy.open(servers).urls;
    return recording;
  }

  write(event: EventBody): number {
    const seq = this.#journal.write(event);
    if (event.type === 'mcp-call') this.#calls += 1;
    this.#onEvent(event);
    return seq;
  }

  pressure(): Promise<void> | undefined {
    return this.#journal.pressure();
  }

  redact(text: string): string {
    return this.#journal.redact(text);
  }

  /** Ends servers and streams, and completes the journal. Throws a JournalError. */
  async stop(): Promise<void> {
    await this.#proxy?.close();
    const durationMs = Math.round(performance.now() - this.#started);
    this.write({ type: 'run-ended', durationMs, calls: this.#calls });
    await this.#journal.close();
  }
}
