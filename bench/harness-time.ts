import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readJournal } from '../src/journal/journal-reader.js';
import type { Benchmark } from './benchmark.js';
import { benchNode, proctorProgram } from './process-time.js';

const taskRuns = 100;

/** An agent and a script that do nothing, so that all time beyond that of the two is ours. */
export const harnessTime: Benchmark = {
  name: 'harness-time',
  measures: 'a task run with an agent and a script that do nothing',
  against: 'spawning the two processes',
  unit: 'ms',
  budget: { atMost: 2 },
  rounds: 5,
  async prepare(folder) {
    const script = path.join(folder, 'verify.sh');
    await writeFile(script, 'true\n');
    await writeSuite(folder);
    return {
      measure: () => timePerTaskRun(folder),
      measureBaseline: () => timePerPair(folder, script),
    };
  },
};

async function writeSuite(folder: string): Promise<void> {
  const server = path.resolve(import.meta.dirname, '../test/fixtures/servers/plain-server.mjs');
  const files = {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'bench' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.json',
        taskSets: [{ path: 'task.yaml' }],
      },
    },
    'agent.yaml': { kind: 'Agent', commands: { runPrompt: 'true' } },
    'mcp.json': {
      mcpServers: {
        plain: { command: benchNode, args: [server, '--stdio'], enableAllTools: true },
      },
    },
    'task.yaml': {
      kind: 'Task',
      metadata: { name: 'nothing', runs: taskRuns },
      spec: { verify: [{ script: { file: 'verify.sh' } }], prompt: { inline: 'Do nothing.' } },
    },
  };
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}

/** From the first start to the last end, as the journal has it: what comes before is once only. */
async function timePerTaskRun(folder: string): Promise<number> {
  const journal = path.join(folder, 'out.jsonl');
  await rm(journal, { force: true });
  const args = [proctorProgram, 'check', 'eval.yaml', '--out', 'out.json'];
  const exitCode = await run(benchNode, args, folder);
  if (exitCode !== 0) throw new Error(`proctor check exited with ${exitCode}`);
  let first: number | undefined;
  let last = 0;
  for await (const { type, at } of readJournal(journal)) {
    if (type === 'task-run-started') first ??= Date.parse(at);
    if (type === 'task-run-ended') last = Date.parse(at);
  }
  return (last - (first ?? last)) / taskRuns;
}

async function timePerPair(folder: string, script: string): Promise<number> {
  const started = performance.now();
  for (let pair = 0; pair < taskRuns; pair++) {
    await run('bash', ['-c', 'true'], folder);
    await run('bash', [script], folder);
  }
  return (performance.now() - started) / taskRuns;
}

function run(program: string, args: string[], cwd: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, SHELL: 'bash' },
    });
    child.stdout.resume();
    child.stderr.resume();
    child.once('error', reject);
    child.once('close', resolve);
  });
}
