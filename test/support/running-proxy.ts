import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inject, type TestContext } from 'vitest';
import type { JournalEvent } from '../../src/journal/event.js';
import { readJournal } from '../../src/journal/journal-reader.js';
import type { McpCall, McpMessage, Warning } from '../../src/journal/mcp-events.js';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { proctorProgram, testNode } from './proctor-process.js';

export interface ProxyResult {
  exitCode: number | null;
  stdout: string;
  stderr: string;
  events: JournalEvent[];
  calls: McpCall[];
  messages: (McpMessage & { seq: number })[];
  warnings: Warning[];
}

interface StartOptions {
  env?: Record<string, string>;
  /** More options of `proctor proxy`. */
  args?: string[];
}

const servers = path.resolve(import.meta.dirname, '../fixtures/servers');

/** How an MCP config starts a server of the fixtures. */
export function stdioServer(program: string, args: string[] = [], more: object = {}) {
  return {
    command: process.execPath,
    args: [path.join(servers, program), ...args],
    enableAllTools: true,
    ...more,
  };
}

/** `proctor proxy` with a folder of its own. */
export class RunningProxy {
  /** Its own, and its record's and the agent's. */
  readonly folder: string;
  readonly configFile: string;
  readonly journalFile: string;
  stdout = '';
  stderr = '';
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<number | null>;
  #urls: Record<string, { url: string }> = {};
  #stopped: Promise<ProxyResult> | undefined;

  /** Ends with the test, and with it all it started. */
  static async start(
    mcpServers: Record<string, object>,
    options: StartOptions = {},
    onTestFinished: TestContext['onTestFinished'] = onLoneTestFinished,
  ): Promise<RunningProxy> {
    const proxy = await RunningProxy.#launch(mcpServers, options);
    onTestFinished(() => proxy.end());
    await proxy.#ready();
    return proxy;
  }

  /** For all tests of a file: whoever starts it ends it, in afterAll. */
  static async startShared(
    mcpServers: Record<string, object>,
    options: StartOptions = {},
  ): Promise<RunningProxy> {
    const proxy = await RunningProxy.#launch(mcpServers, options);
    await proxy.#ready();
    return proxy;
  }

  static async #launch(
    mcpServers: Record<string, object>,
    options: StartOptions,
  ): Promise<RunningProxy> {
    const folder = await mkdtemp(path.join(tmpdir(), 'proctor-proxy-'));
    await mkdir(path.join(folder, 'tmp'));
    await writeFile(path.join(folder, 'mcp.json'), JSON.stringify({ mcpServers }));
    return new RunningProxy(folder, options);
  }

  private constructor(folder: string, { env = {}, args = [] }: StartOptions) {
    this.folder = folder;
    this.configFile = path.join(folder, 'agent.json');
    this.journalFile = path.join(folder, 'record.jsonl');
    const files = ['--write-config', this.configFile, '--out', this.journalFile];
    const config = ['--mcp-config-file', path.join(folder, 'mcp.json')];
    const own = { HOME: inject('homeFolder'), TMPDIR: path.join(folder, 'tmp') };
    this.#child = spawn(testNode, [proctorProgram, 'proxy', ...config, ...files, ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', ...own, ...env },
    });
    this.#exit = once(this.#child, 'close').then(([exitCode]) => exitCode);
    this.#child.stdout.on('data', (data: Buffer) => {
      this.stdout += data;
    });
    this.#child.stderr.on('data', (data: Buffer) => {
      this.stderr += data;
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** The address that the agent was given. */
  url(server: string): string {
    const { url } = this.#urls[server] ?? {};
    if (url === undefined) throw new Error(`the agent was given no address of ${server}`);
    return url;
  }

  /** When the user was shown this. */
  async shown(text: string): Promise<void> {
    while (!this.stderr.includes(text)) await once(this.#child.stderr, 'data');
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  /** Ctrl-C, and the record that it leaves. */
  stop(): Promise<ProxyResult> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** However it is doing. */
  async end(): Promise<void> {
    // The second signal makes it leave at once, and take along what it started.
    this.#child.kill('SIGINT');
    this.#child.kill('SIGTERM');
    await this.#exit;
    await rm(this.folder, { recursive: true, force: true });
  }

  async #stop(): Promise<ProxyResult> {
    this.#child.kill('SIGINT');
    const exitCode = await this.#exit;
    const events: JournalEvent[] = [];
    for await (const event of readJournal(this.journalFile)) events.push(event);
    return {
      exitCode,
      stdout: this.stdout,
      stderr: this.stderr,
      events,
      calls: events.filter((event) => event.type === 'mcp-call'),
      messages: events.filter((event) => event.type === 'mcp-message'),
      warnings: events.filter((event) => event.type === 'warning'),
    };
  }

  /** Names of everything in its folders. */
  async files(): Promise<string[]> {
    return (await readdir(this.folder, { recursive: true })).sort();
  }

  async #ready(): Promise<void> {
    // Said when the config of the agent is written.
    const exit = this.#exit.then((exitCode) => {
      throw new Error(`proctor proxy ended with ${exitCode}: ${this.stderr}`);
    });
    await Promise.race([this.shown('stop with Ctrl-C'), exit]);
    exit.catch(() => {});
    this.#urls = JSON.parse(await readFile(this.configFile, 'utf8')).mcpServers;
  }
}
