import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  locateProgram,
  type ReleaseProgramOptions,
} from '../../src/extensions/package/locate-program.js';
import { describePlatform } from '../../src/extensions/package/release-assets.js';
import { StandInReleaseHost } from './release-host.js';
import { onLoneTestFinished } from './test-end.js';

export const toolPackage = 'https://github.com/org/tool@v1.0.0';

/** An eval with an extension from a release, on a machine with nothing in its cache. */
export class ReleaseSuite {
  readonly host: StandInReleaseHost;
  /** Of the eval. */
  readonly folder: string;
  readonly cache: string;
  readonly notices: string[] = [];
  readonly delays: number[] = [];
  readonly environment: NodeJS.ProcessEnv;

  static async make(): Promise<ReleaseSuite> {
    const root = await mkdtemp(path.join(tmpdir(), 'proctor-release-'));
    onLoneTestFinished(() => rm(root, { recursive: true, force: true }));
    const suite = new ReleaseSuite(await StandInReleaseHost.listen(), root);
    await mkdir(suite.folder);
    return suite;
  }

  private constructor(host: StandInReleaseHost, root: string) {
    this.host = host;
    this.folder = path.join(root, 'eval');
    this.cache = path.join(root, 'cache');
    this.environment = { PROCTOR_CACHE_DIR: this.cache, PROCTOR_GITHUB_API_URL: host.apiUrl };
  }

  locate(written = toolPackage, more: Partial<ReleaseProgramOptions> = {}): Promise<string> {
    const { folder } = this;
    return locateProgram(
      { name: 'tool', package: written, config: {}, env: {}, folder },
      {
        environment: this.environment,
        signal: new AbortController().signal,
        onProgress: (message) => this.notices.push(message),
        delay: async (ms) => {
          this.delays.push(ms);
        },
        platform: describePlatform('linux', 'x64'),
        ...more,
      },
    );
  }

  get lockPath(): string {
    return path.join(this.folder, 'proctor.lock.json');
  }

  async lock(): Promise<unknown> {
    return JSON.parse(await readFile(this.lockPath, 'utf8'));
  }

  /** Every file in the cache, by its path there. */
  async cachedFiles(): Promise<string[]> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(this.cache, options);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.cache, path.join(entry.parentPath, entry.name)))
      .sort();
  }
}
