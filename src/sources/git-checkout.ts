import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { lstat, mkdir, readdir, readFile, readlink, realpath, rm } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { ProcessGroup } from '../base/processes/process-group.js';
import { getHomeFolder } from '../extensions/package/cache-folder.js';

/** Why the files of a source cannot be fetched. */
export class SourceError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(removeCredentials(message));
    this.name = 'SourceError';
    this.hint = hint;
  }
}

/** The commit to fetch from a repository. */
export interface WantedCommit {
  /** An address or path that git takes. */
  address: string;
  /** A branch, a tag or a commit. */
  ref: string;
  submodules: boolean;
}

/** Timeout of a fetch; none takes as long. */
const timeoutMs = 10 * 60 * 1000;

/** Resolves `repo` of a source: `github.com/org/repo` is short for an address, a path starts at the eval. */
export function resolveAddress(
  repo: string,
  folder: string,
  environment: NodeJS.ProcessEnv,
): string {
  if (repo.includes('://')) return repo;
  if (/^[\w-]+(?:\.[\w-]+)+(?::\d+)?\/[^/]+\//.test(repo)) return `https://${repo}`;
  // As in git, a colon before any slash means another host, except for a Windows drive.
  if (/^[^/\\]{2,}:/.test(repo)) return repo;
  const path = repo.startsWith('~/') ? join(getHomeFolder(environment), repo.slice(2)) : repo;
  return resolve(folder, path);
}

/** Removes user, password and token from an address, for messages and lock files. */
export function removeCredentials(text: string): string {
  return text.replace(/([a-z][a-z0-9+.-]*:\/\/)[^\s/]*@/gi, '$1');
}

/** Finds what is wrong with a `ref`: git would read some as options or as more than a name. */
export function findRefFlaw(ref: string): string | undefined {
  const isName = /^[^\s~^:?*[\\+@{}-][^\s~^:?*[\\{}]*$/.test(ref) && !ref.includes('..');
  return isName ? undefined : `${JSON.stringify(ref)} is no name of a branch, tag or commit`;
}

/**
 * Puts the files of a commit into a folder, without git's own, and returns its id. Nothing of the
 * repository is executed: no hooks, no filters, no templates. Throws SourceError.
 */
export async function checkOut(
  wanted: WantedCommit,
  folder: string,
  environment: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<string> {
  const flaw = findRefFlaw(wanted.ref);
  if (flaw) throw new SourceError(flaw);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const git = new Git(folder, environment, signal);
  await git.local(['init', '--quiet', '--template=', '.']);
  const commit = await fetchCommit(git, wanted);
  await git.local(['checkout', '--quiet', '--force', '--detach', commit]);
  if (wanted.submodules) await fetchSubmodules(git, wanted.address);
  await removeGitFiles(folder);
  await refuseLinksOut(folder);
  return commit;
}

async function fetchCommit(git: Git, { address, ref }: WantedCommit): Promise<string> {
  const flags = ['--quiet', '--no-tags', '--no-recurse-submodules', '--no-write-fetch-head'];
  const into = 'refs/proctor/wanted';
  const fetchRef = async (...depth: string[]) => {
    await git.remote(['fetch', ...flags, ...depth, '--', address, `+${ref}:${into}`]);
    return git.local(['rev-parse', '--verify', '--quiet', `${into}^{commit}`]);
  };
  try {
    return await fetchRef('--depth', '1').catch((error: unknown) => {
      // A plain web server serves a repository, but no shallow part of it.
      if (error instanceof SourceError && error.message.includes('shallow')) return fetchRef();
      throw error;
    });
  } catch (error) {
    // Not every server serves a commit by its id: then everything is fetched and searched.
    if (!(error instanceof SourceError) || !/^[0-9a-f]{7,64}$/.test(ref)) throw error;
    const all = ['+refs/heads/*:refs/proctor/heads/*', '+refs/tags/*:refs/proctor/tags/*'];
    await git.remote(['fetch', ...flags, '--', address, ...all]);
    const found = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`];
    return await git.local(found).catch(() => {
      throw new SourceError(`${address} has no commit ${ref}`);
    });
  }
}

/** Fetches submodules. Only a local repository may refer to other local ones. */
async function fetchSubmodules(git: Git, address: string): Promise<void> {
  const isLocal = isAbsolute(address) || address.startsWith('file:');
  const protocols = `${isLocal ? 'file:' : ''}git:http:https:ssh`;
  // Addresses of submodules can be relative to that of the repository.
  await git.local(['config', 'remote.origin.url', address]);
  await git.remote(['submodule', 'update', '--init', '--recursive', '--depth', '1'], {
    GIT_ALLOW_PROTOCOL: protocols,
  });
}

/** Runs git with settings under which nothing is executed that a repository brings along. */
class Git {
  readonly #folder: string;
  readonly #inherited: NodeJS.ProcessEnv;
  readonly #signal: AbortSignal | undefined;

  constructor(folder: string, environment: NodeJS.ProcessEnv, signal?: AbortSignal) {
    this.#folder = folder;
    this.#inherited = environment;
    this.#signal = signal;
  }

  /** Runs git with the user's own configuration, which has credentials and proxies. */
  async remote(args: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<string> {
    const ssh = (await this.#hasOwnSsh()) ? {} : { GIT_SSH_COMMAND: 'ssh -o BatchMode=yes' };
    return this.#run(args, { ...this.#environment, ...ssh, ...more });
  }

  /** Whether the user chose a program for ssh, which a variable of ours would override. */
  async #hasOwnSsh(): Promise<boolean> {
    const { GIT_SSH, GIT_SSH_COMMAND } = this.#inherited;
    if (GIT_SSH !== undefined || GIT_SSH_COMMAND !== undefined) return true;
    const configured = this.#run(['config', '--get', 'core.sshCommand'], this.#environment);
    // Git fails if there is no such setting.
    return configured.then(Boolean, () => false);
  }

  /** Runs git without any configuration, so that no filter is known. */
  local(args: readonly string[]): Promise<string> {
    const none = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const {
      GIT_CONFIG_COUNT: _count,
      GIT_CONFIG_PARAMETERS: _parameters,
      ...environment
    } = this.#environment;
    return this.#run(args, { ...environment, ...none, GIT_CONFIG_NOSYSTEM: '1' });
  }

  get #environment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(this.#inherited).filter(
      ([name]) => !leftOutVariables.has(name),
    );
    return {
      GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
      ...Object.fromEntries(inherited),
      GIT_TERMINAL_PROMPT: '0',
      GCM_INTERACTIVE: 'never',
      SSH_ASKPASS_REQUIRE: 'never',
      LC_ALL: 'C',
    };
  }

  /** Runs git in its own process group: it starts other programs for transfers, which would outlive it. */
  async #run(args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
    const settings = safeSettings.flatMap((setting) => ['-c', setting]);
    const group = new ProcessGroup('git', [...settings, ...args], {
      cwd: this.#folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [stdout, stderr] = [group.child.stdout, group.child.stderr].map(readBeginning);
    const stop = AbortSignal.any([
      AbortSignal.timeout(timeoutMs),
      ...(this.#signal ? [this.#signal] : []),
    ]);
    const kill = () => group.kill();
    stop.addEventListener('abort', kill);
    if (stop.aborted) kill();
    const { code, error } = await group.ended;
    stop.removeEventListener('abort', kill);
    group.kill();
    if (code === 0) return ((await stdout) ?? '').trim();
    if (error?.code === 'ENOENT') {
      throw new SourceError('git was not found', 'install git, or put it on PATH');
    }
    if (this.#signal?.aborted) throw new SourceError('it was stopped');
    if (stop.aborted) throw new SourceError('git took too long');
    const lines = ((await stderr) ?? '').split('\n').filter((line) => line.trim() !== '');
    const reason = lines.find((line) => /^(?:fatal|error|ssh):/.test(line)) ?? lines[0];
    throw new SourceError(reason ?? error?.message ?? 'git failed');
  }
}

const maxOutput = 2 ** 20;

/** Reads the beginning of git's output. */
async function readBeginning(stream: Readable | null): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) {
    if (text.length < maxOutput) text += chunk;
  }
  return text;
}

const safeSettings = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.attributesFile=/dev/null',
  'core.autocrlf=false',
  'core.symlinks=true',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=60',
];

/**
 * Variables that would lead git to the repository that Proctor was started from, such as in a hook; and the
 * program that asks people for passwords, which git would use for servers on the web, too.
 */
const leftOutVariables = new Set([
  'SSH_ASKPASS',
  'GIT_DIR',
  'GIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_COMMON_DIR',
  'GIT_OBJECT_DIRECTORY',
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_NAMESPACE',
  'GIT_PREFIX',
  'GIT_TEMPLATE_DIR',
]);

/** Removes git's own files of the repository and its submodules. */
async function removeGitFiles(folder: string): Promise<void> {
  for await (const { path, name } of entriesBelow(folder)) {
    if (name.toLowerCase() === '.git') await rm(path, { recursive: true, force: true });
  }
}

/** Throws SourceError for a link that leads out of the folder. */
async function refuseLinksOut(folder: string): Promise<void> {
  const root = await realpath(folder);
  for await (const { path, stats } of entriesBelow(folder)) {
    if (!stats.isSymbolicLink()) continue;
    const target = resolve(join(path, '..'), await readlink(path));
    const real = await realpath(path).catch(() => target);
    if (isWithin(real, root) && (isWithin(target, root) || isWithin(target, folder))) continue;
    const name = relative(folder, path);
    throw new SourceError(`the link ${name} in it leads out of the repository`);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Computes a hash over names, contents and links of everything below a folder. */
export async function computeTreeDigest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const { path, stats } of entriesBelow(folder)) {
    if (stats.isDirectory()) continue;
    const content = stats.isSymbolicLink() ? await readlink(path) : await readFile(path);
    const mode = stats.isSymbolicLink() ? 'link' : stats.mode & 0o100 ? 'program' : 'file';
    hash.update(JSON.stringify([relative(folder, path), mode, content.length])).update(content);
  }
  return hash.digest('hex');
}

async function* entriesBelow(
  folder: string,
): AsyncGenerator<{ path: string; name: string; stats: Stats }> {
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const stats = await lstat(path);
    yield { path, name, stats };
    const isThere = stats.isDirectory() && (await lstat(path).catch(() => undefined));
    if (isThere) yield* entriesBelow(path);
  }
}
