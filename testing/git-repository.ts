import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const environment = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

/** A git repository in a folder of its own. */
export class GitRepository {
  readonly folder: string;

  static async create(files: Record<string, string> = {}): Promise<GitRepository> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-repository-')));
    const repository = new GitRepository(folder);
    await repository.git('init', '--quiet', '--initial-branch=main');
    await repository.commit(files);
    return repository;
  }

  private constructor(folder: string) {
    this.folder = folder;
  }

  async git(...args: string[]): Promise<string> {
    const { stdout } = await run('git', args, { cwd: this.folder, env: environment });
    return stdout.trim();
  }

  /** Adds files, and returns the id of the commit. */
  async commit(files: Record<string, string>): Promise<string> {
    for (const [name, text] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(this.folder, name)), { recursive: true });
      await writeFile(path.join(this.folder, name), text, { mode: 0o755 });
    }
    await this.git('add', '--all');
    await this.git('commit', '--quiet', '--allow-empty', '--message=files');
    return this.git('rev-parse', 'HEAD');
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
