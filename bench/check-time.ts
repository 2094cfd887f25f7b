import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { stringify } from 'yaml';
import type { Benchmark } from './benchmark.js';
import { everythingProgram } from './everything-server.js';
import { benchNode, proctorProgram } from './process-time.js';

const tasks = 40;
const agentSeconds = 0.2;

const everything = [everythingProgram, 'stdio'];
const plainServer = path.resolve(import.meta.dirname, '../test/fixtures/servers/plain-server.mjs');

/** A whole check, held against what it cannot do without: the same processes, started directly. */
interface CheckTime extends Pick<Benchmark, 'name' | 'measures' | 'against' | 'budget'> {
  tasks: number;
  parallel: number;
  scope?: 'run';
  /** Arguments of Node; none: server-everything. */
  server?: string[];
  agent: object;
  /** Of each task. */
  spec: object;
  direct(folder: string): Promise<void>;
}

const callsOnce = {
  agent: { scripted: [{ do: [{ call: { server: 'everything', tool: 'echo', args: echoed() } }] }] },
  spec: { assertions: { minToolCalls: 1 } },
};
/** It could fail: a script that cannot gets a warning in each file. */
const script = 'test -d .';
const runsScript = { spec: { verify: [{ script: { inline: script } }] } };

export const checkTimes: Benchmark[] = [
  checkTime({
    name: 'task-servers',
    measures: `${tasks} tasks with a call each, one after the other, each with a server of its own`,
    against: 'starting the servers directly',
    budget: { atMost: 1.15 },
    tasks,
    parallel: 1,
    ...callsOnce,
    direct: () => inLanes(1, tasks, () => useServer(1)),
  }),
  checkTime({
    name: 'task-servers-4',
    measures: 'the same, 4 at a time',
    against: 'starting the servers directly, 4 at a time',
    budget: { atMost: 1.15 },
    tasks,
    parallel: 4,
    ...callsOnce,
    direct: () => inLanes(4, tasks, () => useServer(1)),
  }),
  checkTime({
    name: 'run-server',
    measures: `${tasks} tasks with a call each, with one server for all`,
    against: 'starting it and calling it directly',
    // The aim is 1.65 s, where the direct way takes 0.24: 6.9.
    budget: { atMost: 5 },
    tasks,
    parallel: 1,
    scope: 'run',
    ...callsOnce,
    direct: () => useServer(tasks),
  }),
  checkTime({
    name: 'no-call',
    measures: `${tasks} tasks without a call, with a script each`,
    against: 'starting the server once, and the scripts, directly',
    // The aim is 1.26 s, where the direct way takes 0.34.
    budget: { atMost: 3.7 },
    tasks,
    parallel: 1,
    agent: { scripted: [{ do: [{ say: 'done' }] }] },
    ...runsScript,
    async direct(folder) {
      await useServer(0);
      await inLanes(1, tasks, () => runShell(script, folder));
    },
  }),
  checkTime({
    name: 'waiting-agents',
    measures: `200 tasks with an agent of ${agentSeconds} s and a script each, 8 at a time`,
    against: 'the agents and the scripts directly, 8 at a time',
    // The aim is 5.6 s, where the direct way takes 5.4 s on two cores. Loading 200 tasks, the server's start and
    // the results take 0.35 s; each task run adds 1.4 ms to what its two processes cost, mostly for forking a
    // larger process. The check takes 6.05 s.
    budget: { atMost: 1.13 },
    tasks: 200,
    parallel: 8,
    // It is only asked what it offers, and should not be what is measured.
    server: [plainServer, '--stdio'],
    agent: { commands: { runPrompt: `sleep ${agentSeconds}` } },
    ...runsScript,
    direct: (folder) =>
      inLanes(8, 200, async () => {
        await runShell(`sleep ${agentSeconds}`, folder);
        await runShell(script, folder);
      }),
  }),
];

function checkTime({ direct, ...check }: CheckTime): Benchmark {
  const { name, measures, against, budget, parallel } = check;
  return {
    name,
    measures,
    against,
    budget,
    unit: 'ms',
    rounds: 3,
    async prepare(folder) {
      await writeSuite(folder, check);
      const args = [proctorProgram, 'check', 'eval.yaml', '-p', String(parallel)];
      let checks = 0;
      return {
        // Each is the first with its output: what an earlier one left would be read.
        measure: () =>
          timeOf(() => run(benchNode, [...args, '--out', `out-${++checks}.json`], folder)),
        measureBaseline: () => timeOf(() => direct(folder)),
      };
    },
  };
}

async function writeSuite(
  folder: string,
  { tasks: count, scope, server = everything, agent, spec }: Omit<CheckTime, 'direct'>,
): Promise<void> {
  const served = {
    command: benchNode,
    args: server,
    enableAllTools: true,
    ...(scope && { scope }),
  };
  const config = {
    agent: { type: 'file', path: 'agent.yaml' },
    mcpConfigFile: 'mcp.json',
    taskSets: [{ glob: 'tasks/*.yaml' }],
  };
  // As people write it: what looks like JSON takes a slower way.
  const write = (name: string, data: object) => writeFile(path.join(folder, name), stringify(data));
  await mkdir(path.join(folder, 'tasks'));
  await write('eval.yaml', { kind: 'Eval', metadata: { name: 'bench' }, config });
  await write('agent.yaml', { kind: 'Agent', ...agent });
  await writeFile(
    path.join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: { everything: served } }),
  );
  for (let number = 1; number <= count; number++) {
    await write(`tasks/task-${number}.yaml`, {
      kind: 'Task',
      metadata: { name: `task-${number}`, parallel: true },
      spec: { prompt: { inline: 'Do it.' }, ...spec },
    });
  }
}

async function timeOf(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** So many pieces of work, in so many lanes beside each other. */
async function inLanes(lanes: number, count: number, work: () => Promise<void>): Promise<void> {
  let begun = 0;
  const lane = async () => {
    while (begun++ < count) await work();
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

function echoed(): object {
  return { message: 'hello' };
}

/** The least that makes a client: the server is started, called so often, and not waited for. */
async function useServer(calls: number): Promise<void> {
  const child = spawn(benchNode, everything, {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const send = (message: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (id: number, method: string, params: object) => {
    send({ id, method, params });
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error('the server has left');
      if (JSON.parse(value).id === id) return;
    }
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
  send({ method: 'notifications/initialized' });
  for (let call = 1; call <= calls; call++) {
    await ask(call + 1, 'tools/call', { name: 'echo', arguments: echoed() });
  }
  child.kill('SIGKILL');
}

function runShell(script: string, folder: string): Promise<void> {
  return run('bash', ['-c', script], folder);
}

async function run(program: string, args: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, SHELL: 'bash' },
  });
  let said = '';
  child.stderr.on('data', (data: Buffer) => {
    said = `${said}${data}`.slice(-10_000);
  });
  const [exitCode] = await once(child, 'close');
  if (exitCode !== 0) throw new Error(`${program} exited with ${exitCode}\n${said}`);
}
