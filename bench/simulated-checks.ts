import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BackgroundProcess, startProgram } from './background-process.js';
import { bundledProgram } from './bundled-program.js';
import { QueueFleet } from './queue-fleet.js';
import type { ResourceUse } from './resource-use.js';

/** Checks over a queue whose worker only records task runs, without any agent. */
export interface SimulatedChecks {
  fleet: QueueFleet;
  /** Of the last check. */
  journal: string;
  /** What the coordinator takes. */
  check(taskRuns: number, nodeOptions?: string[]): Promise<ResourceUse>;
  close(): Promise<void>;
}

const runsOfTask = 20;
const atOnce = 16;

export async function startSimulatedChecks(folder: string): Promise<SimulatedChecks> {
  const fleet = await QueueFleet.start({ folder, workers: 0 });
  const stops = [() => fleet.close()];
  try {
    const worker = await startSimulatedWorker(fleet, folder, { atOnce });
    stops.unshift(() => worker.stop());
  } catch (error) {
    await fleet.close();
    throw error;
  }
  const suite = path.join(folder, 'suite');
  return {
    fleet,
    journal: path.join(suite, 'out.jsonl'),
    check: async (taskRuns, nodeOptions = []) => {
      await rm(suite, { recursive: true, force: true });
      await writeQueuedSuite(suite, { tasks: Math.ceil(taskRuns / runsOfTask), runs: runsOfTask });
      return fleet.check(suite, { nodeOptions });
    },
    close: async () => {
      for (const stop of stops) await stop();
    },
  };
}

interface SimulatedWorkerOptions {
  atOnce: number;
  /** It begins so many task runs, and ends none. */
  holds?: boolean;
  /** What it says when there is something to see: by default, that it is ready. */
  says?: RegExp;
}

export async function startSimulatedWorker(
  { redis }: QueueFleet,
  folder: string,
  { atOnce, holds = false, says = /(ready)/ }: SimulatedWorkerOptions,
): Promise<BackgroundProcess> {
  const source = path.resolve(import.meta.dirname, 'simulated-worker.ts');
  const program = await bundledProgram(source, folder);
  return startProgram({
    name: 'simulated-worker',
    commandLine: [program, redis.url, String(atOnce), ...(holds ? ['hold'] : [])],
    folder,
    ready: { on: 'stdout', pattern: says },
  });
}

export async function writeQueuedSuite(
  folder: string,
  { tasks, runs }: { tasks: number; runs: number },
): Promise<void> {
  const files: Record<string, object> = {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'bench' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.json',
        taskSets: [{ glob: 'tasks/*.yaml', assertions: { minToolCalls: 1 } }],
      },
    },
    'agent.yaml': { kind: 'Agent', scripted: [{ do: [{ say: 'Done.' }] }] },
    'mcp.json': { mcpServers: { pets: { command: 'pets-server', enableAllTools: true } } },
  };
  for (let number = 1; number <= tasks; number++) {
    files[`tasks/task-${number}.yaml`] = {
      kind: 'Task',
      metadata: { name: `task-${number}`, parallel: true, runs },
      spec: { prompt: { inline: 'Feed the cat.' } },
    };
  }
  await mkdir(path.join(folder, 'tasks'), { recursive: true });
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}
