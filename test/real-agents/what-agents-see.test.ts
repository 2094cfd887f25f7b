import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { documentationSnippets } from '../support/doc-snippets.js';
import { checkWithAgent } from './agent-check.js';
import { binFolder } from './agent-programs.js';
import { byName, type RealAgent, realAgents } from './real-agents.js';
import { startModel } from './scripted-model.js';

const checkout = path.resolve(import.meta.dirname, '../..');

test.for(byName(realAgents))(
  '%s uses a tool without annotations, and neither it nor its model sees that this is a test',
  async ([, agent]) => {
    const model = await startModel();
    const lookout = await makeLookout(agent);

    const check = await checkWithAgent({
      agent,
      model,
      evalFile: 'look-around.yaml',
      path: lookout.bin,
    });

    expect(check, check.stdout + check.stderr).toMatchObject({ exitCode: 0, processesLeft: [] });
    expect(check.taskRun).toMatchObject({
      outcome: 'passed',
      calls: [{ server: 'local', name: 'echo', isError: false, blocked: false }],
    });
    expect(model.requests.length).toBeGreaterThan(1);
    for (const { path, headers, body } of model.requests) {
      expectOpaque(`${path} ${JSON.stringify(headers)} ${body}`);
    }
    const seen = await lookout.seen();
    expect(seen.filter(({ name }) => name.startsWith('environment'))).not.toEqual([]);
    expect(seen.filter(({ name }) => name.startsWith('files'))).not.toEqual([]);
    for (const { text } of seen) expectOpaque(text);
  },
);

/** Neither the task nor the eval, nor who asks; where this project lies is not what Proctor says. */
function expectOpaque(text: string): void {
  const told = text.replaceAll(checkout, '').replace(/\bPROCTOR_PROMPT(?:_FILE)?=/g, '');
  for (const word of ['quagga', 'okapi', 'proctor']) expect(told.toLowerCase()).not.toContain(word);
}

/** Programs with the names of the agent's, which note what it will see, and then are the agent's. */
async function makeLookout(agent: RealAgent) {
  const folder = await mkdtemp(path.join(tmpdir(), 'lookout-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const bin = path.join(folder, 'bin');
  const notes = path.join(folder, 'notes');
  await Promise.all([mkdir(bin), mkdir(notes)]);
  for (const name of await readdir(binFolder(agent.program))) {
    const program = path.join(bin, name);
    await writeFile(program, lookingProgram(path.join(binFolder(agent.program), name), notes));
    await chmod(program, 0o755);
  }
  const seen = async () => {
    const names = await readdir(notes);
    return Promise.all(
      names.map(async (name) => ({ name, text: await readFile(path.join(notes, name), 'utf8') })),
    );
  };
  return { bin, seen };
}

/** Its version is asked for elsewhere, where there is nothing of it to see. */
function lookingProgram(program: string, notes: string): string {
  return `#!/bin/bash
if [ "$1" != --version ]; then
  cat /proc/self/environ > "${notes}/environment-$$"
  around=$(dirname "$(dirname "$PWD")")
  { find "$around"; find "$around" -type f -exec cat {} +; echo "$@"; } > "${notes}/files-$$"
fi
exec "${program}" "$@"
`;
}

test('the documented way to run codex works with a tool without annotations', async () => {
  const documented = documentationSnippets().find(
    ({ where, text }) => where.startsWith('docs/agents.md') && /^ {2}name: codex$/m.test(text),
  );
  const folder = await mkdtemp(path.join(tmpdir(), 'documented-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'codex.yaml');
  await writeFile(file, documented?.text ?? '');
  const [codex] = realAgents.filter(({ program }) => program.startsWith('codex-'));
  if (!codex) throw new Error('there is no codex among the agents');

  const check = await checkWithAgent({
    agent: { ...codex, file },
    model: await startModel(),
    evalFile: 'look-around.yaml',
  });

  expect(check, check.stdout + check.stderr).toMatchObject({
    exitCode: 0,
    agentVersion: codex.version,
    taskRun: { outcome: 'passed', calls: [{ server: 'local', name: 'echo', isError: false }] },
  });
});
