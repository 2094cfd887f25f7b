/**
 * node scripts/complete-lock-file.mjs, after `npm install` has changed package-lock.json
 *
 * npm leaves out the optional packages for other platforms that the registry in use does not
 * carry, and `npm ci` then refuses the lock file everywhere. Their names and exact versions stand
 * in the packages that want them, and their names say which platform they are for. Their hashes are
 * asked of the registry: nothing may be installed anywhere that the lock file does not pin. Where the
 * registry has none, take a version of the package that wants them of which it has all.
 */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const lockFile = path.resolve('package-lock.json');

const operatingSystems = new Set(['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']);
const processors = new Set(['arm', 'arm64', 'ia32', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']);

function platformOf(packageName) {
  const words = packageName.split(/[/-]/);
  const libc = /-(musl|gnu)/.exec(packageName)?.[1];
  const platform = {
    os: words.filter((word) => operatingSystems.has(word)),
    cpu: words.filter((word) => processors.has(word)),
    libc: libc === undefined ? [] : [libc === 'gnu' ? 'glibc' : libc],
  };
  return Object.fromEntries(Object.entries(platform).filter(([, values]) => values.length > 0));
}

/** Where Node would look for a package that another one imports, nearest first. */
function placesOf(packageName, importer) {
  const levels = importer.split(/\/?node_modules\//);
  return levels.map((_, index) =>
    [...levels.slice(1, levels.length - index), packageName]
      .map((name) => `node_modules/${name}`)
      .join('/'),
  );
}

function addPackagesOfOtherPlatforms(packages) {
  for (const [importer, { dev, optionalDependencies = {} }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      const places = placesOf(name, importer);
      const found = packages[places.find((place) => packages[place] !== undefined)];
      const isExact = /^\d/.test(version);
      if (!isExact || found?.version === version) continue;
      // As far up as npm would put it, short of one with another version.
      const place = places.filter((candidate) => packages[candidate] === undefined).at(-1);
      packages[place] = { version, ...platformOf(name), ...(dev && { dev }), optional: true };
      console.log(`added ${place}`);
    }
  }
}

async function findIntegrity(name) {
  const { stdout } = await promisify(execFile)('npm', ['view', name, 'dist.integrity']).catch(
    () => ({ stdout: '' }),
  );
  if (stdout.trim() !== '') return stdout.trim();
  console.error(`the registry has no hash of ${name}`);
  process.exitCode = 1;
}

const lock = JSON.parse(await readFile(lockFile, 'utf8'));
addPackagesOfOtherPlatforms(lock.packages);
for (const [place, { version, ...rest }] of Object.entries(lock.packages)) {
  if (place === '' || rest.integrity !== undefined) continue;
  const integrity = await findIntegrity(`${place.split('node_modules/').at(-1)}@${version}`);
  lock.packages[place] = { version, integrity, ...rest };
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([left], [right]) => left.localeCompare(right, 'en')),
);
await writeFile(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
