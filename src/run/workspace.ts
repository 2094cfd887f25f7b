import { createHash, randomBytes } from 'node:crypto';
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  rmdirSync,
  unlinkSync,
} from 'node:fs';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/errors.js';
import { getOwnIdentity, type ProcessIdentity } from '../base/processes/process-identity.js';
import { explainWriteFailure } from '../base/write-failure.js';
import type { TaskRunValues } from '../config/placeholders/environment-variables.js';
import type { JudgeFolders } from '../judge/vote.js';

/**
 * Begins the names of all temporary folders of one process, so that they can be found after it was
 * killed. Agents see these names: they say nothing of what the folders are for.
 */
export function nameFolderPrefix({ pid, startTime }: ProcessIdentity): string {
  return digestOf(`${pid} ${startTime}`, 12);
}

export const ownFolderPrefix = nameFolderPrefix(getOwnIdentity());

/** The file in a workspace that notes the processes of the run. */
export const processLedgerName = 'processes';

/**
 * The parts of a workspace. Agents look around in theirs, and find nothing there that hints at the test:
 * neither recorded calls, scripts of steps and files of fetched tasks, nor what a judge is asked. The
 * names mean nothing to an agent.
 */
const agentPart = 'a';
const harnessPart = 'b';
const judgePart = 'c';

/** A name that only a workspace has: its last part follows from the parts before it. */
function makeWorkspaceName(): string {
  const name = ownFolderPrefix + randomBytes(6).toString('hex');
  return name + digestOf(name, 12);
}

/**
 * Whether a path can only be that of a workspace. What names it, such as a journal, is a file that
 * any program may have written; but none can give the right name to a folder that is already there.
 */
export function isWorkspace(path: string): boolean {
  const name = basename(path);
  return (
    resolve(path) === path &&
    dirname(path) === resolve(tmpdir()) &&
    /^[0-9a-f]{36}$/.test(name) &&
    name.endsWith(digestOf(name.slice(0, 24), 12))
  );
}

function digestOf(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}

/** Where a task run with this working directory has what its agent does not see. */
function harnessFolderOf(workdir: string): string {
  const root = dirname(workdir);
  return join(dirname(dirname(root)), harnessPart, basename(root));
}

/** The harness folder of a task run that may be of an earlier version, which had it beside the working directory. */
export function findHarnessFolder(workdir: string): string {
  const folder = harnessFolderOf(workdir);
  return existsSync(folder) ? folder : join(dirname(workdir), 'private');
}

/** Removes a workspace, but for working directories that are to be kept. */
export async function removeWorkspace(path: string, kept: readonly string[]): Promise<void> {
  const agents = join(path, agentPart);
  // In workspaces of earlier versions, task runs have no part of their own.
  const part = existsSync(agents) ? agents : path;
  const isKept = (folder: string) => kept.some((workdir) => dirname(workdir) === folder);
  const roots = (await readdir(part).catch(() => [])).map((name) => join(part, name));
  const others = (await readdir(path).catch(() => [])).map((name) => join(path, name));
  const gone = roots.some(isKept)
    ? [...roots, ...others].filter((folder) => folder !== part && !isKept(folder))
    : [path];
  // What an agent made unreadable stays: that is no reason to fail.
  for (const folder of gone) await removeAll(folder).catch(() => {});
}

async function removeAll(path: string): Promise<void> {
  if (!removeFew(path)) await rm(path, { recursive: true, force: true, maxRetries: 2 });
}

/** What is removed at once: more entries, or larger files, would block the whole process. */
const fewEntries = 32;
const smallFile = 1024 * 1024;

/**
 * Removes a folder with little in it, as those of most task runs are. For each entry `rm` asks another thread
 * several times, which takes ten times as long as removing it. False: it is still there, or a part of it is.
 */
function removeFew(folder: string): boolean {
  let left = fewEntries;
  const remove = (path: string): boolean => {
    const entries = entriesOf(path, left + 1);
    left -= entries.length;
    if (left < 0) return false;
    for (const entry of entries) {
      const inner = join(path, entry.name);
      if (entry.isDirectory()) {
        if (!remove(inner)) return false;
      } else {
        if (lstatSync(inner).size > smallFile) return false;
        unlinkSync(inner);
      }
    }
    rmdirSync(path);
    return true;
  };
  try {
    // An agent may have put a link in its place, which leads to what is not ours.
    return lstatSync(folder).isDirectory() && remove(folder);
  } catch {
    // A process still writes there, or it may not be read: `rm` tries again, and says why not.
    return false;
  }
}

/** The first ones, however many there are. */
function entriesOf(path: string, atMost: number): Dirent[] {
  const folder = opendirSync(path);
  try {
    const entries: Dirent[] = [];
    while (entries.length < atMost) {
      const entry = folder.readSync();
      if (entry === null) break;
      entries.push(entry);
    }
    return entries;
  } finally {
    folder.closeSync();
  }
}

/** There is no room for working directories. */
export class WorkspaceError extends Error {
  constructor(path: string, cause: unknown) {
    const { reason } = explainWriteFailure(cause);
    super(`cannot make a working directory in ${path}: ${reason}`, { cause });
    this.name = 'WorkspaceError';
  }
}

/** Folders of one task run. */
export interface TaskRunFolders {
  /** The working directory of the agent. */
  workdir: string;
  /** For what the agent is handed, and no other process should read. */
  privateFolder: string;
  /** For what steps need and put out, and for evidence: out of the agent's sight. */
  harnessFolder: string;
  root: string;
}

/** A private folder for everything that is gone when the run is over. */
export class Workspace {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  /** A workspace whose folder is not there yet: the process that has to remove it can know it before it is made. */
  static planned(): Workspace {
    return new Workspace(join(tmpdir(), makeWorkspaceName()));
  }

  /** Throws WorkspaceError, as `make` does. */
  static async create(): Promise<Workspace> {
    const workspace = Workspace.planned();
    await workspace.make();
    return workspace;
  }

  /** The file that lists the processes of the run. */
  get processLedger(): string {
    return join(this.path, processLedgerName);
  }

  /** Bytes that can still be written there. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  /** Readable for its owner alone. Fails if the folder exists. */
  async make(): Promise<void> {
    try {
      await mkdir(this.path, { mode: 0o700 });
    } catch (error) {
      throw new WorkspaceError(tmpdir(), error);
    }
  }

  /** Fresh folders for one task run. An agent sees the path, which says nothing of the task. */
  async makeFolders(): Promise<TaskRunFolders> {
    const root = this.#newRoot(agentPart);
    const harnessFolder = join(this.path, harnessPart, basename(root));
    const folders = this.#makePair(root);
    this.#makeFolder(harnessFolder);
    return { ...folders, harnessFolder };
  }

  /** Fresh folders for a judge. */
  async makeJudgeFolders(): Promise<JudgeFolders> {
    const { root, ...folders } = this.#makePair(this.#newRoot(judgePart));
    return { ...folders, remove: () => removeAll(root) };
  }

  #newRoot(part: string): string {
    return join(this.path, part, randomBytes(6).toString('hex'));
  }

  #makePair(root: string): Omit<TaskRunFolders, 'harnessFolder'> {
    const [workdir, privateFolder] = [join(root, 'work'), join(root, 'private')];
    this.#makeFolder(root);
    this.#makeFolder(workdir, 0o777);
    this.#makeFolder(privateFolder);
    return { root, workdir, privateFolder };
  }

  /** At once: to hand it to another thread takes longer. */
  #makeFolder(path: string, mode = 0o700): void {
    try {
      mkdirSync(path, { mode, recursive: true });
    } catch (error) {
      throw new WorkspaceError(this.path, error);
    }
  }

  async removeFolders(folders: TaskRunFolders, keepsWorkdir = false): Promise<void> {
    const { root, privateFolder, harnessFolder } = folders;
    const gone = [keepsWorkdir ? privateFolder : root, harnessFolder];
    // What an agent made unreadable stays: that is no reason to fail.
    await Promise.all(gone.map((folder) => removeAll(folder).catch(() => {})));
  }

  /** Keeps the working directories of task runs that are still there: they were asked for. */
  async remove(): Promise<void> {
    const part = join(this.path, agentPart);
    const left = await readdir(part).catch(() => []);
    await removeWorkspace(
      this.path,
      left.map((name) => join(part, name, 'work')),
    );
  }
}

/** Values of a task run that has this working directory. */
export async function makeTaskRunValues(workdir: string): Promise<TaskRunValues> {
  return { workdir, random: await makeRandomValues() };
}

/** Values that a task run makes up anew. */
export async function makeRandomValues(): Promise<TaskRunValues['random']> {
  return { id: randomBytes(4).toString('hex'), port: await freePort() };
}

/** A port that was free a moment ago: more cannot be promised. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0));
    });
  });
}

/** Throws UsageError if there is no place for temporary files: then nothing can run. */
export function refuseWithoutWorkspace(error: unknown): never {
  if (!(error instanceof WorkspaceError)) throw error;
  throw new UsageError(error.message, 'or set TMPDIR to a folder that can be written');
}
