/**
 * Asks the registry for known vulnerabilities of what is bundled into dist/. npm does not look at it
 * when somebody installs the package, as it is no dependency of it. Where the registry in use answers
 * no audits, that is said, and nothing fails.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

function bundledNames() {
  const bill = readFileSync(path.join(root, 'dist/bill-of-materials.cdx.json'), 'utf8');
  const packages = JSON.parse(bill).components.filter(({ type }) => type === 'library');
  return packages.map(({ group, name }) => (group ? `${group}/${name}` : name));
}

/** What npm says of all that is installed, also for development. */
function askRegistry() {
  const { stdout } = spawnSync('npm', ['audit', '--json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    return JSON.parse(stdout);
  } catch {
    return { message: 'npm audit printed no report' };
  }
}

const names = bundledNames();
const { vulnerabilities, message } = askRegistry();
if (vulnerabilities === undefined) {
  console.log(`Nothing was audited: the registry answers no audits (${message}).`);
} else {
  // Names in `via` are those of dependencies that are vulnerable, which are looked at themselves.
  const advisories = names.flatMap((name) =>
    (vulnerabilities[name]?.via ?? []).filter((each) => typeof each === 'object'),
  );
  for (const { name, severity, title, range, url } of advisories) {
    console.error(`${name} ${range} is bundled, and vulnerable (${severity}): ${title} ${url}`);
  }
  console.log(`${names.length} bundled packages audited, ${advisories.length} advisories.`);
  if (advisories.length > 0) process.exitCode = 1;
}
