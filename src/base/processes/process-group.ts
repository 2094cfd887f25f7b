import { ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { withTimeout } from '../timeouts.js';
import { killOwnLeftovers, noteProcess } from './leftover-processes.js';
import { hasRunMark, makeOwnMarkVariables } from './process-identity.js';

/** How a process ended. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** It could not be started at all. */
  error?: NodeJS.ErrnoException;
}

/** How long a process may take to leave after it was asked to, in milliseconds. */
export interface Grace {
  /** After its input was closed. */
  endOfInput: number;
  /** After SIGTERM. */
  terminate: number;
}

/**
 * A child process together with everything it starts: it leads a process group of its own, and
 * ending it ends the group, so that nothing is left behind.
 */
export class ProcessGroup {
  readonly child: ChildProcess;
  readonly #environment: NodeJS.ProcessEnv;
  /** Settles when the process itself has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Settles when no process holds its output any more: those that it started have left, too. */
  readonly #closed: Promise<unknown>;

  constructor(command: string, args: readonly string[], options: SpawnOptions) {
    const given = options.env ?? process.env;
    const env = { ...given, ...bypassProxyForLoopback(given), ...makeOwnMarkVariables() };
    this.#environment = given;
    this.child = startProcess(command, args, { ...options, env, detached: true });
    running.add(this);
    hasStartedAny = true;
    if (this.child.pid !== undefined) noteProcess(this.child.pid);
    this.#closed = new Promise((resolve) => this.child.once('close', resolve));
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => {
        // While a process runs, an error only means that a signal or message could not be sent.
        if (this.child.pid !== undefined) return;
        resolve({ code: null, signal: null, error: findStartError(error, options.cwd) });
      });
      this.child.once('exit', (code, signal) => resolve({ code, signal }));
    });
  }

  /**
   * Asks the process to leave, in steps that get less friendly, then ends whatever it started. Once
   * `hurried` settles, it is known that the end of its input alone does not make it leave.
   */
  async stop({ endOfInput, terminate }: Grace, hurried?: Promise<void>): Promise<ProcessEnd> {
    this.child.stdin?.end();
    const left = hurried ? Promise.race([this.ended, hurried]) : this.ended;
    if (!(await withTimeout(endOfInput, left))) {
      this.#signal('SIGTERM');
      // A shell leaves at once, but those that it started may have something to clean up.
      await withTimeout(terminate, this.#closed);
    }
    this.kill();
    return this.ended;
  }

  /** Whether the process belongs to one of these runs. */
  isPartOf(runIds: readonly string[]): boolean {
    return hasRunMark(this.#environment, runIds);
  }

  /** Kills the whole group at once, with a signal that cannot be handled. */
  kill(): void {
    this.#signal('SIGKILL');
    running.delete(this);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // No process of the group is left.
    }
  }
}

/** Like spawn, but every failure to start is an event: spawn throws some of them. */
export function startProcess(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): ChildProcess {
  try {
    return spawn(command, args, options);
  } catch (error) {
    const child = new ChildProcess();
    process.nextTick(() => child.emit('error', error));
    return child;
  }
}

/** The system reports a missing program and a missing working directory alike. */
function findStartError(
  error: NodeJS.ErrnoException,
  cwd: SpawnOptions['cwd'],
): NodeJS.ErrnoException {
  if (cwd === undefined || isFolder(cwd)) return error;
  return new Error(`its working directory ${cwd} is not a folder`, { cause: error });
}

function isFolder(path: string | URL): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A process that ends without having stopped them must not leave them behind. */
const running = new Set<ProcessGroup>();
let hasStartedAny = false;
process.on('exit', () => {
  killEveryGroup();
  // Some have left their group.
  if (hasStartedAny) killOwnLeftovers();
});

/** Notes in a ledger that was opened only now what runs already. */
export function recordRunningGroups(): void {
  for (const { child } of running) if (child.pid !== undefined) noteProcess(child.pid);
}

/** Kills every group at once, for an exit that cannot wait; groups of some runs may be spared. */
export function killEveryGroup({ spareRuns = [] }: { spareRuns?: readonly string[] } = {}): void {
  for (const group of running) if (!group.isPartOf(spareRuns)) group.kill();
}

/** The end of a process for messages: `exited with code 3`. */
export function describeEnd({ code, signal, error }: ProcessEnd): string {
  if (error) {
    const isMissing = error.code === 'ENOENT' && error.path !== undefined;
    return `could not be started: ${isMissing ? `command not found: ${error.path}` : error.message}`;
  }
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

/** What every program that we start must reach without a proxy: our own servers are there. */
const loopback = ['127.0.0.1', 'localhost', '::1'];

/**
 * The variables that keep a program's requests to this machine away from proxies, in both spellings:
 * some programs read the one, some the other, and most send even 127.0.0.1 to a proxy if neither
 * says otherwise. What is there stays.
 */
export function bypassProxyForLoopback(environment: NodeJS.ProcessEnv): Record<string, string> {
  const { NO_PROXY: upper, no_proxy: lower } = environment;
  return { NO_PROXY: addLoopback(upper || lower), no_proxy: addLoopback(lower || upper) };
}

function addLoopback(list = ''): string {
  // Stands for all only where it stands alone, to curl and others.
  if (list.trim() === '*') return list;
  const entries = list.split(/[\s,]+/).filter((entry) => entry !== '');
  return [...entries, ...loopback.filter((host) => !entries.includes(host))].join(',');
}
