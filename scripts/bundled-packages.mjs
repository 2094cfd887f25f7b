/**
 * What of others is in dist/, found in what the bundler took: the licences and notices that have to
 * travel with it, and a bill of materials (CycloneDX) for those who look for known vulnerabilities.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');

/** Packages without a licence file of their own, and one of the same project that has it. */
const siblings = { '@ai-sdk/provider-utils': '@ai-sdk/provider' };

/** Data of others that a module was made from. */
const copiedData = [
  {
    module: '/src/config/secrets/token-rules.json',
    name: 'gitleaks',
    about: 'shapes of tokens',
    license: 'MIT',
    licenseFile: 'scripts/token-rules/LICENSE-gitleaks.txt',
  },
  {
    module: '/src/prices/price-table.json',
    name: '@pydantic/genai-prices',
    about: 'prices of models',
    license: 'MIT',
    licenseFile: 'node_modules/@pydantic/genai-prices/LICENSE',
  },
];

/** The packages that modules come from, by name. Throws if there are two copies of one. */
export async function bundledPackages(moduleIds) {
  const folders = new Set(moduleIds.map(packageFolderOf).filter(Boolean));
  const packages = await Promise.all([...folders].map(readPackage));
  packages.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const [index, { name, version, folder }] of packages.entries()) {
    const other = packages[index + 1];
    if (other?.name !== name) continue;
    const copies = `${version} in ${folder} and ${other.version} in ${other.folder}`;
    throw new Error(`two copies of ${name} would be bundled: ${copies}`);
  }
  return packages;
}

/**
 * Outputs are what is bundled on its own, by name, each with its modules. What two of them bundle is
 * there twice: it belongs into a chunk that they share.
 */
export function refuseSharedPackages(outputs) {
  const homes = new Map();
  for (const [output, moduleIds] of Object.entries(outputs)) {
    for (const folder of new Set(moduleIds.map(packageFolderOf).filter(Boolean))) {
      const name = path.relative(root, folder);
      const home = homes.get(folder);
      if (home) throw new Error(`${name} is bundled twice: into ${home} and into ${output}`);
      homes.set(folder, output);
    }
  }
}

/** Those bundled ask for their licence, and for a notice if they have one, to travel with their code. */
export async function thirdPartyLicenses(moduleIds) {
  const packages = await bundledPackages(moduleIds);
  const sections = [
    ...packages.map(licenseSection),
    ...(await Promise.all(dataIn(moduleIds).map(dataSection))),
  ];
  return sections.sort().join('\n');
}

/** The same for the same bundle: neither the time nor anything random is in it. */
export async function billOfMaterials(moduleIds) {
  const [packages, about, lock] = await Promise.all([
    bundledPackages(moduleIds),
    readJson('package.json'),
    readJson('package-lock.json'),
  ]);
  const refs = new Map(packages.map(({ name, version }) => [name, purlOf(name, version)]));
  const self = purlOf(about.name, about.version);
  const bill = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': self,
        name: about.name,
        version: about.version,
        licenses: licensesOf(about.license),
        purl: self,
      },
    },
    components: [
      ...packages.map((each) => componentOf(each, lock)),
      ...dataIn(moduleIds).map(({ name, about: description, license }) => ({
        type: 'data',
        'bom-ref': `data:${name}`,
        name,
        description,
        licenses: licensesOf(license),
      })),
    ],
    dependencies: [
      { ref: self, dependsOn: [...refs.values()] },
      ...packages.map(({ name, dependencies }) => ({
        ref: refs.get(name),
        dependsOn: dependencies.map((each) => refs.get(each)).filter(Boolean),
      })),
    ],
  };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(bill))}`,
    version: 1,
    ...bill,
  };
}

function packageFolderOf(moduleId) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0];
}

async function readJson(file) {
  return JSON.parse(await readFile(path.join(root, file), 'utf8'));
}

async function readPackage(folder) {
  const {
    name,
    version,
    license,
    dependencies = {},
  } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
  const home = name in siblings ? path.join(root, 'node_modules', siblings[name]) : folder;
  const licenses = await textsIn(home, /^licen[cs]e/i);
  if (licenses.length === 0) throw new Error(`${name} has no licence file to pass on`);
  const notices = await textsIn(folder, /notice/i);
  return {
    name,
    version,
    license,
    folder: path.relative(root, folder),
    dependencies: Object.keys(dependencies).sort(),
    texts: [licenses[0], ...notices],
  };
}

async function textsIn(folder, pattern) {
  const files = (await readdir(folder)).filter((file) => pattern.test(file)).sort();
  return Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
}

function dataIn(moduleIds) {
  return copiedData.filter(({ module }) => moduleIds.some((id) => id.endsWith(module)));
}

async function dataSection({ name, about, license, licenseFile }) {
  const text = await readFile(path.join(root, licenseFile), 'utf8');
  return section(`${name}: ${about} (${license})`, [text]);
}

function licenseSection({ name, version, license, texts }) {
  return section(`${name} ${version} (${license})`, texts);
}

function section(title, texts) {
  const text = texts.map((each) => each.trim()).join('\n\n');
  return `${title}\n\n${text}\n\n${'-'.repeat(80)}\n`;
}

function componentOf({ name, version, license, folder }, lock) {
  const [scope, rest] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const [, hash] = /^sha512-(.*)$/.exec(lock.packages[folder].integrity);
  return {
    type: 'library',
    'bom-ref': purlOf(name, version),
    ...(scope && { group: scope }),
    name: rest,
    version,
    // Of the package that npm installs.
    hashes: [{ alg: 'SHA-512', content: Buffer.from(hash, 'base64').toString('hex') }],
    licenses: licensesOf(license),
    purl: purlOf(name, version),
  };
}

function licensesOf(license) {
  return /\s/.test(license) ? [{ expression: license }] : [{ license: { id: license } }];
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8: the application says what is in it, here a hash. */
function uuidOf(text) {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6] & 0x0f) | 0x80;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
