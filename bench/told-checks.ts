import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startProgram } from './background-process.js';
import { bundledProgram } from './bundled-program.js';
import { QueueFleet } from './queue-fleet.js';
import type { ResourceUse } from './resource-use.js';

/** Checks over a queue whose worker only tells of task runs, without any agent. */
export interface ToldChecks {
  fleet: QueueFleet;
  /** Of the last check. */
  journal: string;
  /** What the coordinator takes. */
  check(taskRuns: number, nodeOptions?: string[]): Promise<ResourceUse>;
  close(): Promise<void>;
}

const runsOfTask = 20;
const atOnce = 16;

export async function startToldChecks(folder: string): Promise<ToldChecks> {
  const fleet = await QueueFleet.start({ folder, workers: 0 });
  const stops = [() => fleet.close()];
  try {
    const source = path.resolve(import.meta.dirname, 'telling-worker.ts');
    const worker = await startProgram({
      name: 'telling-worker',
      commandLine: [await bundledProgram(source, folder), fleet.redis.url, String(atOnce)],
      folder,
      ready: { on: 'stdout', pattern: /(ready)/ },
    });
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
      await writeSuite(suite, taskRuns);
      return fleet.check(suite, { nodeOptions });
    },
    close: async () => {
      for (const stop of stops) await stop();
    },
  };
}

async function writeSuite(folder: string, taskRuns: number): Promise<void> {
  const tasks = Math.ceil(taskRuns / runsOfTask);
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
      metadata: { name: `task-${number}`, parallel: true, runs: runsOfTask },
      spec: { prompt: { inline: 'Feed the cat.' } },
    };
  }
  await mkdir(path.join(folder, 'tasks'), { recursive: true });
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}
