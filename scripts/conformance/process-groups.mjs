import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { createWriteStream, mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const stopWithinMs = 10_000;

/**
 * Starts programs, each in a process group and a folder of its own, with an environment that has
 * nothing of this machine but PATH. What is still there when this process ends is killed.
 */
export class ProcessGroups {
  #folder;
  #running = new Set();

  constructor(folder) {
    this.#folder = folder;
    process.once('exit', () => {
      for (const { pid } of this.#running) killGroup(pid, 'SIGKILL');
    });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
      process.once(signal, () => process.exit(1));
    }
  }

  folderOf(name) {
    const folder = path.join(this.#folder, name);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  start(name, [program, ...commandLine], env = {}) {
    const folder = this.folderOf(name);
    const home = path.join(folder, 'home');
    const temp = path.join(folder, 'tmp');
    for (const needed of [home, temp]) mkdirSync(needed);
    const child = spawn(program, commandLine, {
      cwd: folder,
      detached: true,
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: temp, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const started = new StartedProcess(name, folder, child);
    this.#running.add(started);
    void started.ended.then(() => this.#running.delete(started));
    return started;
  }
}

class StartedProcess {
  #output = new EventEmitter();

  constructor(name, folder, child) {
    this.name = name;
    this.folder = folder;
    this.pid = child.pid;
    const log = createWriteStream(path.join(folder, 'output.txt'));
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', (line) => {
        log.write(`${line}\n`);
        this.#output.emit('line', line);
      });
    }
    this.ended = new Promise((resolve) => {
      // `exit`, not `close`: a grandchild may hold on to the output.
      child.once('exit', (code, signal) => resolve(`with ${signal ?? `exit code ${code}`}`));
      child.once('error', (error) => resolve(`before it started: ${error.message}`));
    });
  }

  /** The first match of the pattern in a line of the output. */
  findLine(pattern, withinMs) {
    const found = new Promise((resolve) => {
      this.#output.on('line', (line) => {
        const match = pattern.exec(line);
        if (match) resolve(match);
      });
    });
    return this.until(found, withinMs);
  }

  /** Waits for something that this process should do, as long as it lives. */
  until(promise, withinMs) {
    const early = this.ended.then((how) => {
      throw new Error(`${this.name} has ended ${how}; see ${this.folder}`);
    });
    return bounded(Promise.race([promise, early]), withinMs, `${this.name} is not ready`);
  }

  async endOrKill(withinMs) {
    try {
      await bounded(this.ended, withinMs, `${this.name} has not ended`);
    } catch (error) {
      console.error(error.message);
      await this.stop('SIGKILL');
    }
  }

  async stop(signal) {
    killGroup(this.pid, signal);
    try {
      await bounded(this.ended, stopWithinMs, `${this.name} has not ended on ${signal}`);
    } finally {
      // Its own children too, which may outlive it.
      killGroup(this.pid, 'SIGKILL');
    }
  }
}

async function bounded(promise, withinMs, problem) {
  let timer;
  const tooLate = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${problem} after ${withinMs} ms`)), withinMs);
  });
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

function killGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
