import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const tasksPerFolder = 100;

/** Writes a valid suite of generated tasks into FOLDER/suite; resolves to the eval's path. */
export async function writeGeneratedSuite(
  folder: string,
  { tasks, by = 'glob' }: { tasks: number; by?: 'glob' | 'path' },
): Promise<string> {
  const suite = path.join(folder, 'suite');
  const evalFile = path.join(suite, 'eval.yaml');
  await mkdir(suite, { recursive: true });
  await writeFile(evalFile, evalText(taskSets[by]));
  await writeFile(path.join(suite, 'agent.yaml'), agentText);
  await writeFile(path.join(suite, 'mcp-config.yaml'), mcpConfigText);
  for (let first = 0; first < tasks; first += tasksPerFolder) {
    const numbers = Array.from(
      { length: Math.min(tasksPerFolder, tasks - first) },
      (_, index) => first + index,
    );
    const taskFolder = path.join(suite, 'tasks', `namespace-${first / tasksPerFolder}`);
    await mkdir(taskFolder, { recursive: true });
    await Promise.all(
      numbers.map((number) =>
        writeFile(path.join(taskFolder, `restart-pod-${number}.yaml`), taskText(number)),
      ),
    );
  }
  return evalFile;
}

/** A single task is mostly named by its path, many by a glob. */
const taskSets = {
  glob: 'glob: tasks/**/*.yaml',
  path: 'path: tasks/namespace-0/restart-pod-0.yaml',
};

const evalText = (tasks: string) => `kind: Eval
metadata:
  name: generated
config:
  agent:
    type: file
    path: agent.yaml
  mcpConfigFile: mcp-config.yaml
  taskSets:
    - ${tasks}
      assertions:
        toolsUsed:
          - server: kubernetes
            toolPattern: pods_.*
        minToolCalls: 1
        maxToolCalls: 20
`;

const agentText = `kind: Agent
metadata:
  name: scripted
scripted:
  - do:
      - call:
          server: kubernetes
          tool: pods_list
      - say: The pod is running again.
`;

const mcpConfigText = `mcpServers:
  kubernetes:
    command: kubernetes-mcp-server
    args: ["--read-only=false"]
    enableAllTools: true
`;

function taskText(number: number): string {
  return `apiVersion: mcpchecker/v1alpha2
kind: Task
metadata:
  name: restart-pod-${number}
  difficulty: ${['easy', 'medium', 'hard'][number % 3]}
  parallel: ${number % 2 === 0}
  labels:
    suite: kubernetes
    area: pods
    shard: "${number % 10}"
spec:
  limits:
    timeout: 5m
    cleanupTimeout: 30s
  setup:
    - script:
        inline: |
          #!/usr/bin/env bash
          kubectl create namespace restart-${number}
          kubectl apply --namespace restart-${number} -f crashing-pod.yaml
        timeout: 1m
  verify:
    - script:
        inline: |
          #!/usr/bin/env bash
          kubectl wait --namespace restart-${number} --for=condition=Ready pod/web --timeout=60s
    - kubernetes.pods_get:
        args:
          namespace: restart-${number}
          name: web
        expect:
          content:
            match: Running
  cleanup:
    - script:
        inline: |
          #!/usr/bin/env bash
          kubectl delete namespace restart-${number} --ignore-not-found
        continueOnError: true
  prompt:
    inline: |
      The pod "web" in the namespace restart-${number} keeps crashing. Find out why from its logs
      and events, repair it without deleting the namespace, and tell me what was wrong.
`;
}
