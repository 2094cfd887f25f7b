import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { examples } from './cli.js';

const root = path.resolve(import.meta.dirname, '../..');

/** A folder of a user of the library: it has the quickstart, and the build as `mcp-proctor` in node_modules. */
export class LibraryConsumer {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async create(): Promise<LibraryConsumer> {
    const made = await realpath(await mkdtemp(path.join(inject('homeFolder'), 'consumer-')));
    const consumer = new LibraryConsumer(path.join(made, 'project'));
    const installed = consumer.path('node_modules/mcp-proctor');
    await mkdir(installed, { recursive: true });
    await mkdir(consumer.temporaryFolder);
    for (const name of ['package.json', 'dist', 'schemas']) {
      await symlink(path.join(root, name), path.join(installed, name));
    }
    // The server of the quickstart is made of them.
    for (const name of ['@modelcontextprotocol/server', 'zod']) await consumer.link(name);
    await cp(path.join(examples, 'quickstart'), consumer.folder, { recursive: true });
    await consumer.write('package.json', '{ "private": true, "type": "module" }');
    return consumer;
  }

  /** Where Proctor makes its own folders: empty but while it runs. */
  get temporaryFolder(): string {
    return path.join(path.dirname(this.folder), 'tmp');
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  async write(name: string, text: string): Promise<void> {
    await writeFile(this.path(name), text);
  }

  /** Makes a package of the repository available to the programs in the folder. */
  async link(name: string): Promise<void> {
    const target = this.path(`node_modules/${name}`);
    await mkdir(path.dirname(target), { recursive: true });
    await symlink(path.join(root, 'node_modules', name), target);
  }

  /** Compiles TypeScript as strictly as users may; the declarations of the package are checked, too. */
  async compile(files: readonly string[], more: object = {}): Promise<void> {
    const compilerOptions = {
      target: 'es2023',
      module: 'nodenext',
      types: ['node'],
      typeRoots: [path.join(root, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      preserveSymlinks: true,
      ...more,
    };
    await this.write('tsconfig.json', JSON.stringify({ compilerOptions, files }));
    const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
    await this.node([compiler, '-p', '.']);
  }

  /** Runs Node.js in the folder, or one below it; fails with what it printed. */
  async node(
    args: readonly string[],
    env: Record<string, string> = {},
    { below = '', mayFail = false } = {},
  ): Promise<{ stdout: string; stderr: string }> {
    const own = {
      PATH: process.env.PATH ?? '',
      HOME: path.dirname(this.folder),
      TMPDIR: this.temporaryFolder,
    };
    const options = { cwd: this.path(below), env: { ...own, ...env }, timeout: 110_000 };
    try {
      return await promisify(execFile)(process.execPath, args, options);
    } catch (error) {
      const { stdout, stderr, message } = error as Error & { stdout: string; stderr: string };
      if (mayFail) return { stdout, stderr };
      throw new Error(`${message}\n${stdout}\n${stderr}`);
    }
  }
}
