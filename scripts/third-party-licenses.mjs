import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The packages bundled into dist/ ask for their licence to travel with their code. */
export async function thirdPartyLicenses(moduleIds) {
  const packageFolders = new Set(moduleIds.map(packageFolderOf).filter(Boolean));
  const sections = await Promise.all([...packageFolders].map(licenseSection));
  return sections.sort().join('\n');
}

function packageFolderOf(moduleId) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0];
}

async function licenseSection(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file to pass on`);
  const text = await readFile(path.join(folder, file), 'utf8');
  return `${name} ${version} (${license})\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
}
