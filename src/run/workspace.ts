import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ownIdentity, type ProcessIdentity } from '../processes/process-identity.js';
import { slugOf } from './slug.js';
import { explainWriteFailure } from './write-failure.js';

export const folderPrefix = 'proctor-';
/** Whose folder it is can be told from its name: one that was killed had no time to tell otherwise. */
export const workspacePrefix = prefixFor(ownIdentity());
/** Of folders that are used before there is a workspace. */
export const preflightName = 'preflight-';
/** The file in it that notes the processes of the evaluation. */
export const ledgerName = 'processes';

export function prefixFor({ pid, startTime }: ProcessIdentity): string {
  const owner = createHash('sha256').update(`${pid} ${startTime}`).digest('hex').slice(0, 12);
  return `${folderPrefix}${owner}-`;
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
export interface RunFolders {
  /** Of the agent. */
  workdir: string;
  /** For what is handed to agent and scripts, and nobody else should read. */
  privateFolder: string;
  root: string;
}

/** A private folder for everything that is gone when the evaluation is over. */
export class Workspace {
  readonly path: string;
  #made = 0;

  private constructor(path: string) {
    this.path = path;
  }

  /** One that is not there yet: whoever has to remove it can be told before it is made. */
  static planned(name: string): Workspace {
    const random = randomBytes(6).toString('hex');
    return new Workspace(join(tmpdir(), `${workspacePrefix}${slugOf(name)}-${random}`));
  }

  /** Throws WorkspaceError, as the next one does. */
  static async create(name: string): Promise<Workspace> {
    const workspace = Workspace.planned(name);
    await workspace.make();
    return workspace;
  }

  get ledger(): string {
    return join(this.path, ledgerName);
  }

  /** Bytes that can still be written there. */
  async room(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  /** Readable for us alone. Fails if somebody else was there first. */
  async make(): Promise<void> {
    try {
      await mkdir(this.path, { mode: 0o700 });
    } catch (error) {
      throw new WorkspaceError(tmpdir(), error);
    }
  }

  async foldersFor(name: string): Promise<RunFolders> {
    this.#made += 1;
    const root = join(this.path, `${this.#made}-${slugOf(name)}`);
    const folders = { root, workdir: join(root, 'work'), privateFolder: join(root, 'private') };
    try {
      await mkdir(root, { mode: 0o700 });
      await Promise.all([mkdir(folders.workdir), mkdir(folders.privateFolder, { mode: 0o700 })]);
    } catch (error) {
      throw new WorkspaceError(this.path, error);
    }
    return folders;
  }

  async removeFolders({ root, privateFolder }: RunFolders, keepsWorkdir = false): Promise<void> {
    const gone = keepsWorkdir ? privateFolder : root;
    // What an agent made unreadable stays: that is no reason to fail.
    await rm(gone, { recursive: true, force: true, maxRetries: 2 }).catch(() => {});
  }

  /** Keeps the working directories of task runs that are still there: they were asked for. */
  async remove(): Promise<void> {
    await rm(this.ledger, { force: true });
    const left = await readdir(this.path).catch(() => []);
    if (left.length === 0) await rm(this.path, { recursive: true, force: true });
  }
}
