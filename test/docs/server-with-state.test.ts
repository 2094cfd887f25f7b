import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { it } from '../support/scratch-suite.js';
import { scripted } from '../support/suite-parts.js';

const page = path.resolve(import.meta.dirname, '../../docs/server-with-state.md');

/** The YAML of each section, by the name that its first line gives it. */
async function sections(): Promise<{ title: string; files: Record<string, string> }[]> {
  const text = await readFile(page, 'utf8');
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.split('\n')[0] ?? '',
      files: Object.fromEntries(
        [...section.matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, name, yaml]) => [name, yaml]),
      ),
    }))
    .filter(({ files }) => Object.keys(files).length > 0);
}

describe('docs/server-with-state.md', async () => {
  const all = await sections();

  it('has an example for each kind of server', () => {
    const titles = all.map(({ title }) => title);
    expect(titles).toEqual(['Memory', 'SQLite', 'Git', 'Files', 'A server on HTTP']);
  });

  it.for(all)('is valid: $title', async ({ files }, { makeSuite }) => {
    const { 'mcp-config.yaml': config = '', ...tasks } = files;
    const other = { kind: 'Task', metadata: { name: 'x' }, spec: { prompt: { inline: 'x' } } };
    const suite = await makeSuite({
      tasks: {},
      agent: scripted({ say: 'done' }),
      assertions: { maxToolCalls: 10, minToolCalls: 1 },
      files: {
        'mcp.yaml': config,
        ...(Object.keys(tasks).length > 0 ? tasks : { 'tasks/x.yaml': JSON.stringify(other) }),
      },
    });
    const { exitCode, stdout } = await suite.proctor(['validate', 'eval.yaml', '--strict']);
    expect(exitCode, stdout).toBe(0);
  });
});
