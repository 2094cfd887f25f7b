import { writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Its agent does nothing but wait for the server of that address. */
export async function writeWaitingSuite(
  folder: string,
  server: string,
  runs: number,
): Promise<void> {
  const files = {
    'eval.yaml': {
      kind: 'Eval',
      metadata: { name: 'bench' },
      config: {
        agent: { type: 'file', path: 'agent.yaml' },
        mcpConfigFile: 'mcp.json',
        taskSets: [{ path: 'task.yaml', assertions: { minToolCalls: 1 } }],
      },
    },
    'agent.yaml': {
      kind: 'Agent',
      scripted: [{ do: [{ call: { server: 'waiting', tool: 'wait' } }, { say: 'Done.' }] }],
    },
    'mcp.json': { mcpServers: { waiting: { url: server, enableAllTools: true } } },
    'task.yaml': {
      kind: 'Task',
      metadata: { name: 'wait', parallel: true, runs },
      spec: { prompt: { inline: 'Wait.' } },
    },
  };
  for (const [name, data] of Object.entries(files)) {
    await writeFile(path.join(folder, name), JSON.stringify(data));
  }
}
