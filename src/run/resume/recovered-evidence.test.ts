import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { recoverEvidence } from './recovered-evidence.js';

let folder: string;
let workdir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-evidence-'));
  workdir = join(folder, 'killed/work');
  for (const name of ['killed/work', 'killed/private', 'private']) {
    await mkdir(join(folder, name), { recursive: true });
  }
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const first = '{"name":"one","args":{"text":"a\\nb"}}';
const second = '{"name":"two"}';

async function recoveredCalls(before: string | undefined): Promise<unknown> {
  if (before !== undefined) await writeFile(join(folder, 'killed/private/calls.json'), before);
  const { environment } = await recoverEvidence(workdir, join(folder, 'private'));
  return JSON.parse(await readFile(environment.PROCTOR_CALLS ?? '', 'utf8'));
}

test.each([
  ['a list that is whole', `[\n${first},\n${second}\n]\n`, ['one', 'two']],
  ['a list without its end', `[\n${first},\n${second}`, ['one', 'two']],
  ['a list with a torn call', `[\n${first},\n${second.slice(0, 5)}`, ['one']],
  ['a list that ends with a comma', `[\n${first},\n`, ['one']],
  ['a list that was just begun', '[', []],
  ['an empty file', '', []],
  ['no file', undefined, []],
])('the calls of %s are recovered', async (_, before, names) => {
  const calls = await recoveredCalls(before);

  expect(calls).toEqual(names.map((name) => expect.objectContaining({ name })));
});

test("the agent's answer is recovered if it had given one", async () => {
  await writeFile(join(folder, 'killed/private/agent-output.txt'), 'done 🦊');

  const { output, environment } = await recoverEvidence(workdir, join(folder, 'private'));

  expect(output).toBe('done 🦊');
  expect(await readFile(environment.PROCTOR_AGENT_OUTPUT ?? '', 'utf8')).toBe('done 🦊');
});

test('without an answer there is an empty one', async () => {
  const { output, environment } = await recoverEvidence(workdir, join(folder, 'private'));

  expect(output).toBe('');
  expect(await readFile(environment.PROCTOR_AGENT_OUTPUT ?? '', 'utf8')).toBe('');
});
