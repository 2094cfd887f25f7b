/**
 * node scripts/run-ts.mjs bench/queue-capacity.ts [--write]
 *
 * Measures what task runs take of Redis and of the coordinator, and prints the tables of
 * docs/capacity.md, or writes them there. `npm run capacity` builds first.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { measureCapacity } from './capacity-figures.js';
import { capacityTables } from './capacity-tables.js';

const page = path.resolve(import.meta.dirname, '../docs/capacity.md');
const between =
  /(<!-- Figures of npm run capacity[^>]*-->\n)[\s\S]*?(\n<!-- End of the figures -->)/;

const folder = await mkdtemp(path.join(tmpdir(), 'proctor-capacity-'));
try {
  const tables = capacityTables(await measureCapacity(folder));
  if (process.argv.includes('--write')) await writeTables(tables);
  else console.log(tables);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeTables(tables: string): Promise<void> {
  const text = await readFile(page, 'utf8');
  if (!between.test(text)) throw new Error(`${page} has no place for the figures`);
  await writeFile(
    page,
    text.replace(between, (_, start, end) => `${start}\n${tables}\n${end}`),
  );
}
