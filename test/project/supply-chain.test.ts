import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it, type TestContext } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

async function readJson(file: string) {
  return JSON.parse(await readFile(path.join(root, file), 'utf8'));
}

describe.concurrent('package-lock.json', () => {
  it('pins every package by its hash, and names no place to get it from', async () => {
    const { packages } = await readJson('package-lock.json');
    const entries = Object.entries<{ integrity?: string; resolved?: string }>(packages);
    const installed = entries.filter(([place]) => place !== '');
    const unpinned = installed.filter(([, entry]) => !/^sha512-./.test(entry.integrity ?? ''));
    expect(unpinned).toEqual([]);
    expect(installed.filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
    expect(installed.length).toBeGreaterThan(100);
  });
});

describe.concurrent('package.json', () => {
  it('asks for nothing at run time, and for exact versions of everything else', async () => {
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } =
      await readJson('package.json');
    expect({ dependencies, optionalDependencies, peerDependencies }).toEqual({});
    for (const version of Object.values(devDependencies)) expect(version).toMatch(/^\d+\.\d+\.\d+/);
  });
});

describe.concurrent('the address of the repository', () => {
  it('stands in package.json alone, and its three fields agree', async () => {
    const { homepage, repository, bugs } = await readJson('package.json');
    const address = repository.url.replace(/^git\+(.*)\.git$/, '$1');
    expect({ homepage, bugs }).toEqual({
      homepage: `${address}#readme`,
      bugs: { url: `${address}/issues` },
    });
    const [, project] = /github\.com\/(.*)$/.exec(address) ?? [];
    const { stdout } = await promisify(execFile)('git', ['grep', '-lF', `${project}`], {
      cwd: root,
    });
    expect(stdout.trim().split('\n')).toEqual(['package.json']);
  });
});

/** A folder with packages of these versions, and a module of each as the bundler would name it. */
async function installPackages(places: Record<string, string>, { onTestFinished }: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-packages-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const modules: string[] = [];
  for (const [place, version] of Object.entries(places)) {
    const home = path.join(folder, place);
    const name = place.split('node_modules/').at(-1);
    await mkdir(home, { recursive: true });
    await writeFile(path.join(home, 'package.json'), JSON.stringify({ name, version }));
    await writeFile(path.join(home, 'LICENSE'), `Licence of ${name}`);
    await writeFile(path.join(home, 'NOTICE.txt'), `Notice of ${name}`);
    modules.push(path.join(home, 'lib', 'index.js'));
  }
  return modules;
}

const { bundledPackages, refuseSharedPackages, thirdPartyLicenses } = await import(
  pathToFileURL(path.join(root, 'scripts/bundled-packages.mjs')).href
);

describe.concurrent('what is bundled', () => {
  it.for(['1.0.0', '2.0.0'])(
    'may not be two copies of a package: 1.0.0, %s',
    async (version, context) => {
      const modules = await installPackages(
        {
          'node_modules/one': '1.0.0',
          'node_modules/two': '1.0.0',
          'node_modules/two/node_modules/one': version,
        },
        context,
      );
      await expect(bundledPackages(modules)).rejects.toThrow(
        /two copies of one would be bundled: .*node_modules\/one and .*two\/node_modules\/one/,
      );
    },
  );

  it('may not be one package in two outputs', async (context) => {
    const [one, two] = await installPackages(
      { 'node_modules/one': '1.0.0', 'node_modules/@scope/two': '1.0.0' },
      context,
    );
    refuseSharedPackages({ program: [one], page: [two] });
    expect(() => refuseSharedPackages({ program: [one, two], page: [two] })).toThrow(
      /@scope\/two is bundled twice: into program and into page/,
    );
  });

  it('brings its licences and notices along', async (context) => {
    const modules = await installPackages({ 'node_modules/one': '1.0.0' }, context);
    const text = await thirdPartyLicenses(modules);
    expect(text).toContain('one 1.0.0');
    expect(text).toContain('Licence of one');
    expect(text).toContain('Notice of one');
  });
});

/** Runs the audit against a registry that answers audits with these advisories, or not at all. */
async function audit(advisories: Record<string, object[]> | undefined, context: TestContext) {
  const asked: string[] = [];
  const registry = createServer(async (request, response) => {
    const body = await buffer(request);
    if (!request.url?.endsWith('/advisories/bulk') || advisories === undefined) {
      response.writeHead(request.method === 'POST' ? 405 : 404).end('{}');
      return;
    }
    asked.push(...Object.keys(JSON.parse(gunzipSync(body).toString())));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(advisories));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  const cache = await mkdtemp(path.join(tmpdir(), 'proctor-audit-'));
  context.onTestFinished(async () => {
    registry.close();
    await rm(cache, { recursive: true, force: true });
  });
  const { port } = registry.address() as AddressInfo;
  const child = spawn(process.execPath, [path.join(root, 'scripts/audit-bundled.mjs')], {
    env: {
      ...process.env,
      npm_config_registry: `http://127.0.0.1:${port}/`,
      npm_config_cache: cache,
    },
  });
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  const exitCode = await new Promise((resolve) => child.on('close', resolve));
  return { exitCode, output, asked };
}

function advisory(name: string) {
  const vulnerable_versions = '>=0.0.0';
  return {
    id: 1,
    url: 'https://example.com/1',
    title: `hole in ${name}`,
    severity: 'high',
    vulnerable_versions,
  };
}

describe.concurrent('the audit of what is bundled', () => {
  it('fails if a bundled package has a known vulnerability', async (context) => {
    const { exitCode, output, asked } = await audit({ zod: [advisory('zod')] }, context);
    expect(output).toContain('zod >=0.0.0 is bundled, and vulnerable (high): hole in zod');
    expect(exitCode).toBe(1);
    expect(asked).toContain('zod');
  });

  it('does not fail for a package of development alone', async (context) => {
    const { exitCode, output } = await audit({ vitest: [advisory('vitest')] }, context);
    expect(output).toMatch(/^\d\d bundled packages audited, 0 advisories\.$/m);
    expect(exitCode).toBe(0);
  });

  it('says that nothing was audited if the registry does not answer', async (context) => {
    const { exitCode, output } = await audit(undefined, context);
    expect(output).toMatch(/Nothing was audited: the registry answers no audits \(405 .*\)/);
    expect(exitCode).toBe(0);
  });
});
