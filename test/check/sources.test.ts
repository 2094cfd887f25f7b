import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, readdir, readFile, rm, symlink, watch, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { describe, expect, type TestContext } from 'vitest';
import type { Problem } from '../../src/config/problems/problem.js';
import { GitRepository } from '../../testing/git-repository.js';
import { proctorProgram, testNode } from '../support/proctor-process.js';
import { it as base, type ScratchSuite } from '../support/scratch-suite.js';
import { callTelling, scripted, tellingServer } from '../support/suite-parts.js';

const task = (name: string, spec: object = {}) =>
  JSON.stringify({
    kind: 'Task',
    metadata: { name },
    spec: { prompt: { inline: 'Go.' }, verify: [{ script: { file: '../verify.sh' } }], ...spec },
  });

const it = base.extend<{ makeRepository: (files?: object) => Promise<GitRepository> }>({
  makeRepository: async ({ onTestFinished }, use) => {
    await use(async (files = {}) => {
      const repository = await GitRepository.create({
        'tasks/fetched.yaml': task('fetched'),
        'verify.sh': '#!/bin/sh\ntest -f tasks/fetched.yaml\n',
        ...files,
      });
      onTestFinished(() => repository.remove());
      return repository;
    });
  },
});

/** The eval's config: tasks of a source, and a local file that the same glob matches. */
function parts(source: object, set: object = { glob: 'tasks/*.yaml' }) {
  return {
    tasks: { local: {} },
    config: { sources: { upstream: source }, taskSets: [{ source: 'upstream', ...set }] },
  };
}

const cacheOf = (suite: ScratchSuite) => ({ PROCTOR_CACHE_DIR: suite.path('cache') });

function problemsOf(stdout: string): string[] {
  const { problems } = JSON.parse(stdout) as { problems: Problem[] };
  return problems.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`);
}

async function validate(suite: ScratchSuite, ...args: string[]) {
  const run = await suite.proctor(['validate', 'eval.yaml', '-o', 'json', ...args], cacheOf(suite));
  return { ...run, problems: problemsOf(run.stdout) };
}

describe.concurrent('sources of tasks', () => {
  it('are fetched, pinned, and used from the cache when the repository is gone', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository();
    const commit = await repository.git('rev-parse', 'HEAD');
    const suite = await makeSuite(parts({ repo: repository.folder, ref: 'main' }));

    const before = await validate(suite);
    expect(before.exitCode).toBe(2);
    expect(before.problems).toEqual([
      expect.stringMatching(
        /^eval\.yaml:\d+ source-not-ready the source upstream cannot be used: it is not pinned yet$/,
      ),
    ]);
    expect(await readdir(suite.folder)).not.toContain('cache');

    const first = await suite.check([], cacheOf(suite));
    expect(first.exitCode, first.stderr).toBe(0);
    expect(first.stderr).toContain(`fetching ${repository.folder} (main)`);
    expect(first.taskRuns.map(({ task }) => task)).toEqual(['fetched']);
    expect(JSON.parse(await suite.read('proctor.lock.json')).sources).toEqual([
      { repo: repository.folder, ref: 'main', commit },
    ]);
    const started = first.events.find(({ type }) => type === 'run-started');
    expect(JSON.stringify(started)).toContain(commit);

    await repository.commit({ 'tasks/later.yaml': task('later') });
    const pinned = await suite.check([], cacheOf(suite));
    expect(pinned.taskRuns.map(({ task }) => task)).toEqual(['fetched']);

    const updated = await validate(suite, '--update-sources');
    expect(updated.exitCode, updated.stdout).toBe(0);
    await repository.remove();
    const offline = await suite.proctor(['list', 'eval.yaml'], cacheOf(suite));
    expect(offline.stdout).toContain('later');
    expect((await validate(suite)).exitCode).toBe(0);
    // What somebody changed in the cache is not trusted.
    const kept = path.join(suite.path('cache'), 'proctor', 'sources');
    for (const name of await readdir(kept)) {
      if (!name.endsWith('.json') && name !== 'unfinished') {
        await writeFile(path.join(kept, name, 'verify.sh'), 'true\n');
      }
    }
    expect((await validate(suite)).problems).toEqual([
      expect.stringContaining('its files are not in the cache'),
    ]);
  });

  it('speak of servers as the eval does', async ({ makeSuite, makeRepository }) => {
    const repository = await makeRepository({
      'tasks/fetched.yaml': task('fetched', {
        requires: [{ mcpServer: 'theirs', as: 'it' }],
        setup: [{ 'it.echo': { args: { text: 'a' } } }],
        verify: [
          { 'theirs.echo': { args: { text: 'b' }, expect: { content: { match: 'b' } } } },
          { script: { inline: 'test "$TEXT" = b', env: { TEXT: '{steps.theirs.echo.content}' } } },
        ],
        assertions: { toolsUsed: [{ server: 'theirs', tool: 'echo' }] },
      }),
    });
    const source = { repo: repository.folder, serverMapping: { theirs: 'telling' } };
    const suite = await makeSuite({
      ...parts(source),
      agent: scripted(callTelling('echo', { text: 'c' })),
    });
    const mapped = await suite.check([], cacheOf(suite));
    expect(mapped.exitCode, mapped.stderr).toBe(0);

    const wrong = await makeSuite({
      ...parts({ ...source, serverMapping: { theirs: 'tellin' } }),
      servers: { telling: tellingServer() },
    });
    const { problems } = await validate(wrong, '--connect');
    expect(problems).toContainEqual(expect.stringMatching(/^eval\.yaml:\d+ unknown-server/));
  });

  it('come from a server on the network, by tag and by commit', async ({
    makeSuite,
    makeRepository,
    onTestFinished,
  }) => {
    const repository = await makeRepository();
    const commit = await repository.git('rev-parse', 'HEAD');
    await repository.git('tag', '--annotate', 'v1', '--message=v1');
    await repository.commit({ 'tasks/later.yaml': task('later') });
    const url = await startDaemon(repository.folder, onTestFinished);
    for (const ref of ['v1', commit, commit.slice(0, 10)]) {
      const suite = await makeSuite(parts({ repo: url, ref }));
      const { exitCode, stderr, taskRuns } = await suite.check([], cacheOf(suite));
      expect(exitCode, stderr).toBe(0);
      expect(taskRuns.map(({ task }) => task)).toEqual(['fetched']);
      expect(await suite.read('proctor.lock.json')).toContain(commit);
    }
  });

  it('come from a plain web server', async ({ makeSuite, makeRepository, onTestFinished }) => {
    const repository = await makeRepository();
    const commit = await repository.git('rev-parse', 'HEAD');
    await repository.commit({ 'tasks/later.yaml': task('later') });
    await repository.git('update-server-info');
    const files = createHttpServer(async ({ url = '' }, response) => {
      const file = path.join(repository.folder, new URL(url, 'http://x').pathname);
      const content = await readFile(file).catch(() => undefined);
      response.writeHead(content ? 200 : 404).end(content);
    });
    files.listen(0, '127.0.0.1');
    await once(files, 'listening');
    onTestFinished(() => void files.close());
    const { port } = files.address() as AddressInfo;
    for (const [ref, names] of [
      ['main', ['fetched', 'later']],
      [commit, ['fetched']],
    ] as const) {
      const suite = await makeSuite(parts({ repo: `http://127.0.0.1:${port}/.git`, ref }));
      const { exitCode, stderr, taskRuns } = await suite.check([], cacheOf(suite));
      expect(exitCode, stderr).toBe(0);
      expect(taskRuns.map(({ task }) => task)).toEqual(names);
    }
  });

  it('bring submodules only if that is asked for', async ({
    makeSuite,
    makeRepository,
    onTestFinished,
  }) => {
    const inner = await makeRepository();
    const url = await startDaemon(inner.folder, onTestFinished);
    const outer = await makeRepository();
    await outer.git('submodule', '--quiet', 'add', url, 'inner');
    await outer.commit({});
    const set = { path: 'inner/tasks/fetched.yaml' };
    const without = await makeSuite(parts({ repo: outer.folder }, set));
    expect((await validate(without, '--connect')).problems).toEqual([
      expect.stringContaining('file-not-found'),
    ]);
    const suite = await makeSuite(parts({ repo: outer.folder, submodules: true }, set));
    const { exitCode, stdout } = await validate(suite, '--connect');
    expect(exitCode, stdout).toBe(0);
  });

  it('find submodules beside themselves, and none on this machine if they come from another', async ({
    makeSuite,
    makeRepository,
    onTestFinished,
  }) => {
    const inner = await makeRepository();
    const outer = await makeRepository();
    const beside = `../${path.basename(inner.folder)}`;
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
    await outer.git(...add, beside, 'inner');
    await outer.commit({});
    const set = { path: 'inner/tasks/fetched.yaml' };
    const local = await makeSuite(parts({ repo: outer.folder, submodules: true }, set));
    const { exitCode, stdout } = await validate(local, '--connect');
    expect(exitCode, stdout).toBe(0);

    await outer.git('config', '--file=.gitmodules', 'submodule.inner.url', inner.folder);
    await outer.commit({});
    const url = await startDaemon(outer.folder, onTestFinished);
    const remote = await makeSuite(parts({ repo: url, submodules: true }, set));
    expect((await validate(remote, '--connect')).problems).toEqual([
      expect.stringContaining("transport 'file' not allowed"),
    ]);
  });

  it('start at a folder of the repository', async ({ makeSuite, makeRepository }) => {
    const repository = await makeRepository({
      'evals/tasks/deeper.yaml': task('deeper', {
        verify: [{ script: { file: '../../verify.sh' } }],
      }),
    });
    const suite = await makeSuite(parts({ repo: repository.folder, path: 'evals' }));
    const { exitCode, stderr, taskRuns } = await suite.check([], cacheOf(suite));
    expect(exitCode, stderr).toBe(0);
    expect(taskRuns.map(({ task }) => task)).toEqual(['deeper']);
    const outside = await makeSuite(parts({ repo: repository.folder, path: '../x' }));
    expect((await validate(outside, '--connect')).problems).toEqual([
      expect.stringContaining('"../x" leads out of the source upstream'),
    ]);
  });

  it('stay pinned where two evals give the same name to different ones', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository();
    await repository.git('branch', 'other');
    const suite = await makeSuite(parts({ repo: repository.folder, ref: 'main' }));
    const other = (await suite.read('eval.yaml')).replace('main', 'other');
    await suite.write('other.yaml', other);
    for (const name of ['eval.yaml', 'other.yaml']) {
      const run = await suite.proctor(['validate', '--connect', name], cacheOf(suite));
      expect(run.exitCode, run.stdout).toBe(0);
    }
    await repository.commit({ 'tasks/later.yaml': task('later') });
    const { exitCode, stderr } = await suite.proctor(
      ['validate', '--connect', 'eval.yaml', 'other.yaml'],
      cacheOf(suite),
    );
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });

  it.for(['SIGINT', 'SIGTERM'] as const)(
    'leave nothing of a fetch behind after %s',
    async (signal, { makeSuite, onTestFinished }) => {
      const silent = createServer();
      silent.listen(0, '127.0.0.1');
      await once(silent, 'listening');
      onTestFinished(() => void silent.close());
      const { port } = silent.address() as AddressInfo;
      const suite = await makeSuite(parts({ repo: `git://127.0.0.1:${port}/x` }));
      const connected = once(silent, 'connection');
      const validating = spawn(testNode, [proctorProgram, 'validate', '--connect', 'eval.yaml'], {
        cwd: suite.folder,
        env: { PATH: process.env.PATH, HOME: suite.folder, ...cacheOf(suite) },
        stdio: 'ignore',
      });
      const exited = once(validating, 'exit');
      const [socket] = (await connected) as [Socket];
      const gitLeft = once(socket.resume(), 'close');
      validating.kill(signal);
      expect(await exited).toEqual([130, null]);
      await gitLeft;
      expect(await readdir(suite.path('cache/proctor/sources/unfinished'))).toEqual([]);
    },
  );

  it('ask nobody for a password', async ({ makeSuite, onTestFinished }) => {
    const locked = createHttpServer((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="x"' }).end();
    });
    locked.listen(0, '127.0.0.1');
    await once(locked, 'listening');
    onTestFinished(() => void locked.close());
    const { port } = locked.address() as AddressInfo;
    const suite = await makeSuite(parts({ repo: `http://127.0.0.1:${port}/x` }));
    await suite.write('ask.sh', '#!/bin/sh\ntouch "$MARK"\necho me\n');
    await chmod(suite.path('ask.sh'), 0o755);
    const { exitCode, stdout } = await suite.proctor(
      ['validate', '--connect', 'eval.yaml', '-o', 'json'],
      {
        ...cacheOf(suite),
        DISPLAY: ':0',
        SSH_ASKPASS: suite.path('ask.sh'),
        MARK: suite.path('mark'),
      },
    );
    expect(exitCode).toBe(2);
    expect(problemsOf(stdout)).toEqual([expect.stringContaining('could not read Username')]);
    expect(await readdir(suite.folder)).not.toContain('mark');
  });

  it('travel beside the eval to where there is neither git nor a cache', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository();
    const suite = await makeSuite(parts({ repo: repository.folder }));
    // Nobody is there to take the task runs, but the suite is ready to go.
    await suite.check(['--queue', 'redis://127.0.0.1:1'], cacheOf(suite));
    const elsewhere = await makeSuite({ tasks: {} });
    await cp(suite.folder, elsewhere.folder, { recursive: true });
    await rm(elsewhere.path('cache'), { recursive: true });
    await repository.remove();
    const { exitCode, stdout, stderr } = await elsewhere.proctor(['list', 'eval.yaml'], {
      ...cacheOf(elsewhere),
      PATH: elsewhere.folder,
    });
    expect(exitCode, stderr).toBe(0);
    expect(stdout).toContain('fetched');
  });

  it('run in a copy of their own, so that what scripts write stays out of the cache', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository({
      'tasks/fetched.yaml': task('fetched', {
        setup: [{ script: { inline: 'test ! -e made && echo x > made' } }],
        verify: [{ script: { inline: 'test -f made' } }, { script: { file: '../verify.sh' } }],
        cleanup: [{ script: { inline: 'test -f made' } }],
      }),
    });
    const suite = await makeSuite(parts({ repo: repository.folder }));
    const first = await suite.check(['--runs', '2'], cacheOf(suite));
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    expect(first.taskRuns.map(({ outcome }) => outcome)).toEqual(['passed', 'passed']);
    await repository.remove();
    const second = await suite.check([], cacheOf(suite));
    expect(second.exitCode, second.stdout + second.stderr).toBe(0);
    expect(await suite.leftovers()).toEqual([]);
  });

  it('are cleaned up after kill -9 with what setup wrote beside itself', async ({
    makeSuite,
    makeRepository,
    onTestFinished,
  }) => {
    const repository = await makeRepository({
      'tasks/fetched.yaml': task('fetched', {
        setup: [{ script: { inline: 'test ! -e made && echo x > made' } }],
        verify: [
          {
            script: {
              inline: 'test -e "$HERE/go" || { touch "$HERE/reached"; exec tail -f /dev/null; }',
            },
          },
        ],
        cleanup: [{ script: { inline: 'cat made >> "$HERE/cleaned"' } }],
      }),
    });
    const suite = await makeSuite({
      ...parts({ repo: repository.folder }),
      files: { 'here/.keep': '' },
    });
    const here = suite.path('here');
    const env = { ...cacheOf(suite), HERE: here };
    const reached = waitForFile(here, 'reached');
    const check = spawn(testNode, [proctorProgram, 'check', 'eval.yaml', '--out', 'out.json'], {
      cwd: suite.folder,
      env: { PATH: process.env.PATH, HOME: here, TMPDIR: suite.temporaryFolder, ...env },
      stdio: 'ignore',
    });
    const ended = once(check, 'exit');
    onTestFinished(() => void check.kill('SIGKILL'));
    await reached;
    check.kill('SIGKILL');
    await ended;
    await writeFile(path.join(here, 'go'), '');
    const resumed = await suite.check(['--resume'], env);
    expect(resumed.exitCode, resumed.stdout + resumed.stderr).toBe(0);
    expect(await suite.read('here/cleaned')).toBe('x\nx\n');
    expect(await suite.leftovers()).toEqual([]);
  });

  it('leave changed files in the cache to those who use them', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository();
    const suite = await makeSuite(parts({ repo: repository.folder }));
    expect((await validate(suite, '--connect')).exitCode).toBe(0);
    const kept = path.join('cache', 'proctor', 'sources');
    const folders = async () =>
      (await readdir(suite.path(kept))).filter((name) => /-[0-9a-f]{40}[^.]*$/.test(name));
    const [folder = ''] = await folders();
    await suite.write(path.join(kept, folder, 'verify.sh'), 'exit 1\n');
    const again = await validate(suite, '--connect');
    expect(again.stderr).toContain('fetching');
    expect(await suite.read(path.join(kept, folder, 'verify.sh'))).toBe('exit 1\n');
    await repository.commit({});
    const updated = await validate(suite, '--update-sources');
    expect(updated.exitCode, updated.stdout).toBe(0);
    expect((await validate(suite, '--update-sources')).exitCode).toBe(0);
    // The changed one, the one fetched in its place, and that of the later commit.
    expect(await folders()).toHaveLength(3);
    await repository.remove();
    const { exitCode, stderr } = await suite.check([], cacheOf(suite));
    expect(exitCode, stderr).toBe(0);
  });

  it('are not taken from a copy beside the eval that is not whole', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository({ 'tasks/second.yaml': task('second') });
    const suite = await makeSuite(parts({ repo: repository.folder }));
    await suite.check(['--queue', 'redis://127.0.0.1:1'], cacheOf(suite));
    const beside = path.join('.proctor', 'sources');
    const names = await readdir(suite.path(beside));
    const folder = names.find((name) => !name.endsWith('.json')) ?? '';
    await rm(suite.path(path.join(beside, folder, 'tasks/second.yaml')));
    const { exitCode, stderr, taskRuns } = await suite.check([], cacheOf(suite));
    expect(exitCode, stderr).toBe(0);
    expect(taskRuns.map(({ task }) => task)).toEqual(['fetched', 'second']);
    // Nor from one that was still being made.
    for (const name of names.filter((each) => each.endsWith('.json'))) {
      await rm(suite.path(path.join(beside, name)));
    }
    expect((await suite.check([], cacheOf(suite))).taskRuns).toHaveLength(2);
  });

  it('are fetched with the ssh that the user chose', async ({ makeSuite, makeRepository }) => {
    const repository = await makeRepository();
    const suite = await makeSuite(parts({ repo: 'ssh://git@example.invalid/repo' }));
    const ssh = `#!/bin/sh\ntouch "$MARK"\nexec git-upload-pack ${repository.folder}\n`;
    await suite.write('ssh.sh', ssh);
    await chmod(suite.path('ssh.sh'), 0o755);
    await suite.write('home/.gitconfig', `[core]\n\tsshCommand = ${suite.path('ssh.sh')}\n`);
    const ways: Record<string, string>[] = [
      { HOME: suite.path('home') },
      { GIT_SSH: suite.path('ssh.sh') },
      { GIT_SSH_COMMAND: suite.path('ssh.sh') },
    ];
    for (const [index, way] of ways.entries()) {
      const mark = suite.path(`mark-${index}`);
      const { exitCode, stdout } = await suite.proctor(
        ['validate', '--update-sources', 'eval.yaml', '-o', 'json'],
        { ...cacheOf(suite), MARK: mark, ...way },
      );
      expect(exitCode, stdout).toBe(0);
      expect(await readFile(mark, 'utf8')).toBe('');
    }
  });

  it('are refused where they cannot be had, at their place', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository();
    const cases: [source: object, message: RegExp][] = [
      [{ repo: 'no/such/repository' }, /does not appear to be a git repository|not exist/],
      [{ repo: repository.folder, ref: 'no-such-branch' }, /couldn't find remote ref/],
      [{ repo: repository.folder, ref: '--upload-pack=touch pwned' }, /is no name of a branch/],
      [{ repo: '--upload-pack=touch pwned' }, /./],
      [{ repo: 'ext::touch pwned' }, /transport 'ext' not allowed/],
      [{ repo: 'http://user:s3cret@127.0.0.1:1/x' }, /unable to access 'http:\/\/127/],
    ];
    for (const [source, message] of cases) {
      const suite = await makeSuite(parts(source));
      const { exitCode, problems, stdout, stderr } = await validate(suite, '--connect');
      expect(exitCode).toBe(2);
      expect(problems).toEqual([expect.stringMatching(/^eval\.yaml:\d+ source-not-ready /)]);
      expect(problems[0]).toMatch(message);
      expect(stdout + stderr).not.toContain('s3cret');
      expect(await readdir(suite.folder)).not.toContain('pwned');
    }
    const suite = await makeSuite(parts({ repo: repository.folder }));
    const { stdout } = await suite.proctor(['validate', '--connect', 'eval.yaml', '-o', 'json'], {
      ...cacheOf(suite),
      PATH: suite.folder,
    });
    expect(problemsOf(stdout)).toEqual([expect.stringContaining('git was not found')]);
  });

  it('cannot lead out of their repository, and run nothing of it', async ({
    makeSuite,
    makeRepository,
  }) => {
    const repository = await makeRepository({
      '.gitattributes': '* filter=evil\n',
      'tasks/fetched.yaml': task('fetched', {
        verify: [{ script: { file: '../../outside.sh' } }],
      }),
      'tasks/named.yaml': task('named', { verify: [{ script: { file: '{env.HOME}/x' } }] }),
    });
    const home = await makeRepository();
    const marks = path.join(home.folder, 'mark');
    await writeFile(
      path.join(home.folder, '.gitconfig'),
      `[filter "evil"]\n\tsmudge = touch ${marks}\n[core]\n\thooksPath = ${home.folder}\n`,
    );
    for (const hook of ['post-checkout', 'reference-transaction']) {
      await writeFile(path.join(home.folder, hook), `#!/bin/sh\ntouch ${marks}\n`, { mode: 0o755 });
    }
    const suite = await makeSuite(parts({ repo: repository.folder }));
    const run = await suite.proctor(['validate', '--connect', 'eval.yaml', '-o', 'json'], {
      ...cacheOf(suite),
      HOME: home.folder,
    });
    const outside = problemsOf(run.stdout).filter((each) => each.includes('outside-source'));
    expect(outside).toEqual([
      expect.stringContaining('../../outside.sh leads out of the source upstream'),
      expect.stringContaining('{env.HOME}/x leads out of the source upstream'),
    ]);
    await expect(readFile(marks)).rejects.toThrow('ENOENT');

    await symlink('/etc', path.join(repository.folder, 'etc'));
    await repository.commit({});
    const linked = await makeSuite(parts({ repo: repository.folder }));
    expect((await validate(linked, '--connect')).problems).toEqual([
      expect.stringContaining('the link etc in it leads out of the repository'),
    ]);

    for (const set of [{ path: '../eval.yaml' }, { glob: '/etc/*.yaml' }, { glob: 'a/../../*' }]) {
      const leaving = await makeSuite(parts({ repo: repository.folder }, set));
      expect((await validate(leaving)).problems).toEqual([
        expect.stringContaining('outside-source'),
      ]);
    }
  });
});

/** A git server on loopback that gives out one repository. */
async function startDaemon(
  folder: string,
  onTestFinished: TestContext['onTestFinished'],
): Promise<string> {
  await rm(path.join(folder, '.git', 'git-daemon-export-ok'), { force: true });
  await writeFile(path.join(folder, '.git', 'git-daemon-export-ok'), '');
  const port = await freePort();
  const args = ['daemon', '--verbose', '--reuseaddr', '--listen=127.0.0.1', `--port=${port}`];
  const daemon = spawn('git', [...args, `--base-path=${folder}`, folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  });
  // With its group: git runs the daemon as a process of its own.
  onTestFinished(() => void (daemon.pid && process.kill(-daemon.pid, 'SIGKILL')));
  await once(daemon.stderr ?? daemon, 'data');
  return `git://127.0.0.1:${port}/.git`;
}

/** Resolves when the file is there; the folder has to be. */
async function waitForFile(folder: string, name: string): Promise<void> {
  for await (const { filename } of watch(folder)) if (filename === name) return;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}
