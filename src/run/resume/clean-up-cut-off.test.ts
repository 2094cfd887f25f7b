import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { removeWorkspace, type TaskRunFolders, Workspace } from '../workspace.js';
import { recoverEvidence } from './clean-up-cut-off.js';

let folder: string;
let killed: TaskRunFolders;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proctor-evidence-'));
  const workspace = await Workspace.create();
  onTestFinished(() => removeWorkspace(workspace.path, []));
  killed = await workspace.makeFolders();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const first = '{"name":"one","args":{"text":"a\\nb"}}';
const second = '{"name":"two"}';

async function recoveredCalls(before: string | undefined): Promise<unknown> {
  if (before !== undefined) await writeFile(join(killed.harnessFolder, 'calls.json'), before);
  const { environment } = await recoverEvidence(killed.workdir, folder);
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
  await writeFile(join(killed.harnessFolder, 'agent-output.txt'), 'done 🦊');

  const { output, environment } = await recoverEvidence(killed.workdir, folder);

  expect(output).toBe('done 🦊');
  expect(await readFile(environment.PROCTOR_AGENT_OUTPUT ?? '', 'utf8')).toBe('done 🦊');
});

test('without an answer there is an empty one', async () => {
  const { output, environment } = await recoverEvidence(killed.workdir, folder);

  expect(output).toBe('');
  expect(await readFile(environment.PROCTOR_AGENT_OUTPUT ?? '', 'utf8')).toBe('');
});

test('what an earlier version had beside the working directory is recovered', async () => {
  await rm(dirname(killed.harnessFolder), { recursive: true });
  await writeFile(join(killed.privateFolder, 'agent-output.txt'), 'done');
  await writeFile(join(killed.privateFolder, 'calls.json'), `[\n${first},\n`);

  const { output, environment } = await recoverEvidence(killed.workdir, folder);

  expect(output).toBe('done');
  expect(await readFile(environment.PROCTOR_CALLS ?? '', 'utf8')).toContain(first);
});
