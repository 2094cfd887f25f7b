import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isObject } from '../base/json.js';
import type { McpConfig, McpServer } from '../config/files/mcp-config-file.js';
import {
  type TaskRunValues,
  workdirVariable,
} from '../config/placeholders/environment-variables.js';
import { getValue } from '../config/problems/shape-check.js';
import type { Redactor } from '../config/secrets/redactor.js';
import { removeServerSecrets } from '../config/secrets/server-entry.js';
import type { EventBody, EventSink } from '../journal/event.js';
import { journalSchema } from '../journal/run-events.js';
import { proctorVersion } from '../proctor-version.js';
import { RecordingProxy } from '../proxy/recording-proxy.js';
import { type JournalError, JournalWriter } from './journal/journal-writer.js';
import { makeTaskRunValues, ownFolderPrefix } from './workspace.js';

export interface RecordingOptions {
  servers: readonly McpServer[];
  /** The MCP config that they are from, as it is written. */
  written?: McpConfig['written'];
  redactor: Redactor;
  environment: NodeJS.ProcessEnv;
  /** Where the journal goes. */
  path: string;
  overwrite: boolean;
  port?: number;
  /** Called with every event, after it was written to the journal. */
  onEvent(event: EventBody): void;
  /** The journal cannot be written any more. */
  onFailure(failure: JournalError): void;
}

export { JournalError } from './journal/journal-writer.js';

/**
 * What `proctor proxy` does: the proxy on its own, with servers behind it and a journal of what passes. The journal of a
 * run is kept by RunRecorder instead.
 */
export class Recording implements EventSink {
  urls: ReadonlyMap<string, string> = new Map();
  readonly #journal: JournalWriter;
  readonly #onEvent: RecordingOptions['onEvent'];
  readonly #started = performance.now();
  #proxy: RecordingProxy | undefined;
  #calls = 0;
  #workdir: string | undefined;

  private constructor(journal: JournalWriter, onEvent: RecordingOptions['onEvent']) {
    this.#journal = journal;
    this.#onEvent = onEvent;
  }

  /** Throws a JournalError, or what the operating system says about the port. */
  static async start(options: RecordingOptions): Promise<Recording> {
    const { servers, written, redactor, environment, path, port, overwrite } = options;
    const { onEvent, onFailure } = options;
    const journal = await JournalWriter.create(path, { redactor, overwrite, onFailure });
    const recording = new Recording(journal, onEvent);
    const proxy = await RecordingProxy.start({
      sink: recording,
      environment,
      ...(port !== undefined && { port }),
    }).catch(async (error: unknown) => {
      await journal.close();
      // Nothing was recorded. A file that the user named may have been there before.
      if (!overwrite) await rm(path);
      throw error;
    });
    recording.#proxy = proxy;
    recording.write({
      type: 'run-started',
      schema: journalSchema,
      proctor: proctorVersion,
      command: 'proxy',
      mcpServers: servers.map((server) => {
        const { name, transport } = server;
        return { name, transport, config: writtenConfig(server, written) };
      }),
    });
    const values = servers.some(({ perTaskRun }) => perTaskRun) && (await recording.#makeValues());
    recording.urls = proxy.open(servers, values ? { values } : {}).urls;
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

  /** The recording is all the task run that there is: its folder is gone when it ends. */
  async #makeValues(): Promise<TaskRunValues> {
    this.#workdir = await mkdtemp(join(tmpdir(), ownFolderPrefix));
    return makeTaskRunValues(this.#workdir);
  }

  /** Ends servers and streams, and completes the journal. Throws a JournalError. */
  async stop(): Promise<void> {
    await this.#proxy?.close();
    if (this.#workdir !== undefined) await rm(this.#workdir, { recursive: true, force: true });
    const durationMs = Math.round(performance.now() - this.#started);
    this.write({ type: 'run-ended', durationMs, calls: this.#calls });
    await this.#journal.close();
  }
}

/** How a server is reached, so that a suite can be made from the recording. */
function writtenConfig(
  { name, data }: McpServer,
  written: unknown,
): Readonly<Record<string, unknown>> {
  const entry = getValue(written, ['mcpServers', name]);
  const config = { ...data, ...(isObject(entry) ? entry : {}) };
  return removeServerSecrets({
    ...config,
    // Also where --allow-all-tools has the last word.
    ...(data.enableAllTools !== undefined && { enableAllTools: data.enableAllTools }),
    ...(data.command !== undefined && { cwd: chooseCwd(data, config.cwd) }),
  });
}

/** A folder of the task run stays a reference to it. */
function chooseCwd({ cwd = process.cwd() }: McpServer['data'], written: unknown): string {
  const isOfTaskRun = typeof written === 'string' && written.includes(`\${${workdirVariable}`);
  return isOfTaskRun ? written : cwd;
}
