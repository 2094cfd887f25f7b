import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Packages without a licence file of their own, and one of the same project that has it. */
const siblings = { '@ai-sdk/provider-utils': '@ai-sdk/provider' };

const packages = path.resolve(import.meta.dirname, '..', 'node_modules');

/** The packages bundled into dist/ ask for their licence to travel with their code. */
export async function thirdPartyLicenses(moduleIds) {
  const packageFolders = new Set(moduleIds.map(packageFolderOf).filter(Boolean));
  const sections = await Promise.all([...packageFolders].map(licenseSection));
  if (moduleIds.some((id) => id.endsWith('/config/token-rules.ts'))) {
    const text = await readFile(
      path.join(import.meta.dirname, 'token-rules/LICENSE-gitleaks.txt'),
      'utf8',
    );
    sections.push(section('gitleaks: shapes of tokens (MIT)', text));
  }
  if (moduleIds.some((id) => id.endsWith('/prices/price-table.ts'))) {
    sections.push(await licenseSection(path.join(packages, '@pydantic/genai-prices')));
  }
  return sections.sort().join('\n');
}

function packageFolderOf(moduleId) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(moduleId)?.[0];
}

async function licenseSection(folder) {
  const { name, version, license } = JSON.parse(
    await readFile(path.join(folder, 'package.json'), 'utf8'),
  );
  const home = name in siblings ? path.join(packages, siblings[name]) : folder;
  const file = (await readdir(home)).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no licence file to pass on`);
  const text = await readFile(path.join(home, file), 'utf8');
  return section(`${name} ${version} (${license})`, text);
}

function section(title, text) {
  return `${title}\n\n${text.trim()}\n\n${'-'.repeat(80)}\n`;
}
