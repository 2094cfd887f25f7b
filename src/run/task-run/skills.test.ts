import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentCall } from '../../assertions/assertion.js';
import { RawJson } from '../../base/json-text.js';
import type { AgentStep } from '../../journal/step-events.js';
import { mountSkills, SkillLoads } from './skills.js';

let folder = '';
let workdir = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mount-skills-'));
  workdir = join(folder, 'work');
  await mkdir(workdir);
});

afterEach(() => rm(folder, { recursive: true }));

async function skill(name: string, files: Record<string, string>) {
  const own = join(folder, 'skills', name);
  const listed = [];
  for (const [path, text] of Object.entries(files)) {
    const from = join(own, path);
    await mkdir(dirname(from), { recursive: true });
    await writeFile(from, text, { mode: path.endsWith('.sh') ? 0o755 : 0o644 });
    listed.push({ path, from });
  }
  return { name, folder: own, files: listed };
}

it('mountSkills copies each skill into a folder of its name, with what may be executed', async () => {
  const greeting = await skill('greeting', { 'SKILL.md': 'hello', 'scripts/greet.sh': 'echo' });
  const parting = await skill('parting', { 'SKILL.md': 'bye' });

  await mountSkills({ skills: [greeting, parting], mountPath: '.claude/skills' }, workdir);

  const mount = join(workdir, '.claude/skills');
  expect((await readdir(mount)).sort()).toEqual(['greeting', 'parting']);
  expect(await readFile(join(mount, 'greeting/SKILL.md'), 'utf8')).toBe('hello');
  expect(await readFile(join(mount, 'parting/SKILL.md'), 'utf8')).toBe('bye');
  expect((await stat(join(mount, 'greeting/scripts/greet.sh'))).mode & 0o111).toBe(0o111);
});

it('mountSkills keeps the source apart from what the agent does to the copy', async () => {
  const greeting = await skill('greeting', { 'SKILL.md': 'hello' });

  await mountSkills({ skills: [greeting], mountPath: '.' }, workdir);
  await writeFile(join(workdir, 'greeting/SKILL.md'), 'damaged');

  expect(await readFile(join(folder, 'skills/greeting/SKILL.md'), 'utf8')).toBe('hello');
});

it('mountSkills refuses to copy out of the working directory through a link', async () => {
  const greeting = await skill('greeting', { 'SKILL.md': 'hello' });
  await mkdir(join(folder, 'elsewhere'));
  await symlink('../elsewhere', join(workdir, '.claude'));

  const mounted = mountSkills({ skills: [greeting], mountPath: '.claude/skills' }, workdir);

  await expect(mounted).rejects.toThrow('leads out of the working directory');
  expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
});

it('mountSkills refuses to copy into a folder that exists', async () => {
  const greeting = await skill('greeting', { 'SKILL.md': 'hello' });
  await mkdir(join(workdir, 'skills/greeting'), { recursive: true });

  const mounted = mountSkills({ skills: [greeting], mountPath: './skills/' }, workdir);

  await expect(mounted).rejects.toThrow('greeting cannot be copied: EEXIST');
});

it('mountSkills names the skill that cannot be copied', async () => {
  const greeting = await skill('greeting', { 'SKILL.md': 'hello' });
  await rm(join(folder, 'skills/greeting/SKILL.md'));

  const mounted = mountSkills({ skills: [greeting], mountPath: 'skills' }, workdir);

  await expect(mounted).rejects.toThrow('greeting cannot be copied: ENOENT');
});

function loadsOf(steps: AgentStep[]): [name: string, blocked: boolean][] {
  const seen: AgentCall[] = [];
  const loads = new SkillLoads('Skill', (call) => seen.push(call));
  for (const step of steps) loads.step(step);
  loads.end();
  return seen.map(({ name, blocked }) => [name, blocked]);
}

const call = (skill: string, id?: string): AgentStep => ({
  kind: 'tool-call',
  tool: 'Skill',
  args: new RawJson(JSON.stringify({ skill })),
  ...(id !== undefined && { id }),
});
const result = (id: string, isError: boolean): AgentStep => ({
  kind: 'tool-result',
  id,
  isError,
  text: '',
});

it('SkillLoads distinguishes a loaded skill from a refused one', () => {
  const steps = [call('pdf', '1'), call('xls', '2'), result('2', false), result('1', true)];
  expect(loadsOf(steps)).toEqual([
    ['xls', false],
    ['pdf', true],
  ]);
});

it('SkillLoads counts a skill as loaded if the agent does not say how the call went', () => {
  expect(loadsOf([call('pdf', '1'), call('xls')])).toEqual([
    ['xls', false],
    ['pdf', false],
  ]);
});

it('SkillLoads ignores calls of other tools', () => {
  expect(loadsOf([{ kind: 'tool-call', tool: 'Read', id: '1' }, result('1', false)])).toEqual([]);
});
