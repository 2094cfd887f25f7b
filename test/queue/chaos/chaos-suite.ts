import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markedProcesses } from '../../../testing/marked-processes.js';

const fixtures = path.resolve(import.meta.dirname, '../../fixtures');
const programs = ['queue-chaos/alive.sh', 'queue-chaos/step.sh', 'servers/shell-stdio-server.sh'];

/** Tasks in the order in which they run, each with its outcome and how long its agent works, in ticks. */
export interface ChaosTask {
  name: string;
  isParallel: boolean;
  outcome: 'passed' | 'failed';
  ticks: number;
}

const runsOfEach = 2;

/** A line that a process of a task run has left: it was alive then. */
export interface Sign {
  pid: string;
  step: string;
  task: string;
  /** What {random.id} stands for: each attempt has its own. */
  id: string;
}

/** A suite whose steps and agents leave signs of life in one file, in a folder for everything of a round. */
export class ChaosSuite {
  readonly folder: string;
  readonly tasks: readonly ChaosTask[];

  private constructor(folder: string, tasks: readonly ChaosTask[]) {
    this.folder = folder;
    this.tasks = tasks;
  }

  static async create(random: () => number): Promise<ChaosSuite> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-chaos-')));
    const suite = new ChaosSuite(folder, chosenTasks(random));
    for (const name of ['tmp', 'home', 'cache', 'said', 'suite', 'suite/tasks'])
      await mkdir(path.join(folder, name));
    for (const program of programs) {
      const place = path.join(folder, 'suite', path.basename(program));
      await copyFile(path.join(fixtures, program), place);
      await chmod(place, 0o755);
    }
    await suite.#write('suite/eval.yaml', evalFile);
    await suite.#write('suite/agent.yaml', agentFile);
    await suite.#write('suite/mcp.yaml', mcpConfig);
    for (const task of suite.tasks)
      await suite.#write(`suite/tasks/${task.name}.yaml`, taskFile(task));
    return suite;
  }

  /** Of every program of the round. */
  get environment(): Record<string, string> {
    return {
      HOME: path.join(this.folder, 'home'),
      XDG_CACHE_HOME: path.join(this.folder, 'cache'),
      TMPDIR: this.temporary,
      SIGNS: path.join(this.folder, 'signs'),
      ALIVE: path.join(this.folder, 'suite/alive.sh'),
      SHELL: '/bin/sh',
    };
  }

  get temporary(): string {
    return path.join(this.folder, 'tmp');
  }

  /** In the environment of everything that was started, and of whatever that started. */
  get mark(): string {
    return `TMPDIR=${this.temporary}`;
  }

  get suiteFolder(): string {
    return path.join(this.folder, 'suite');
  }

  get results(): string {
    return path.join(this.suiteFolder, 'proctor-chaos-out.json');
  }

  get journal(): string {
    return path.join(this.suiteFolder, 'proctor-chaos-out.jsonl');
  }

  /** Such as `s1#2`, in the order in which they run. */
  get taskRuns(): { name: string; task: ChaosTask }[] {
    return this.tasks.flatMap((task) =>
      Array.from({ length: runsOfEach }, (_, n) => ({ name: `${task.name}#${n + 1}`, task })),
    );
  }

  /** In the order in which they were left. */
  get signs(): Sign[] {
    const file = path.join(this.folder, 'signs');
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
    return lines.map((line) => {
      const [pid = '', step = '', task = '', id = ''] = line.split(' ');
      return { pid, step, task, id };
    });
  }

  /** Keeps what a program said. */
  async keep(name: string, text: string): Promise<void> {
    await this.#write(`said/${name}`, text);
  }

  async remove(): Promise<void> {
    for (const { pid } of markedProcesses(this.mark)) process.kill(pid, 'SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  #write(name: string, text: string): Promise<void> {
    return writeFile(path.join(this.folder, name), text);
  }
}

function chosenTasks(random: () => number): ChaosTask[] {
  const names = ['s1', 's2', 's3', 's4', 'p1', 'p2', 'p3', 'p4', 'p5'];
  const failing = random() < 0.5 ? names[Math.floor(random() * names.length)] : undefined;
  return names.map((name) => ({
    name,
    isParallel: name.startsWith('p'),
    outcome: name === failing ? 'failed' : 'passed',
    ticks: 1 + Math.floor(random() * 8),
  }));
}

const evalFile = `kind: Eval
apiVersion: proctor/v1
metadata: { name: chaos }
config:
  agent: { type: file, path: agent.yaml }
  mcpConfigFile: mcp.yaml
  taskSets:
    - glob: tasks/s*.yaml
      runs: ${runsOfEach}
    - glob: tasks/p*.yaml
      runs: ${runsOfEach}
`;

const mcpConfig = `mcpServers:
  shell:
    command: /bin/sh
    args: [shell-stdio-server.sh]
    cwd: .
    enableAllTools: true
`;

const agentFile = `kind: Agent
metadata: { name: program }
commands:
  argTemplateMcpServer: ""
  argTemplateAllowedTools: ""
  runPrompt: 'STEP=agent "$ALIVE" {{ .Prompt }}'
`;

const step = (name: string, more = '') => `
    - id: ${name}
      script:
        file: ../step.sh
        env: { STEP: ${name}, ID: "{random.id}"${more} }`;

const taskFile = ({ name, isParallel, outcome, ticks }: ChaosTask) => `kind: Task
apiVersion: proctor/v1
metadata: { name: ${name}, parallel: ${isParallel} }
spec:
  prompt: { inline: "{random.id} ${ticks} ${name}" }
  setup:${step('setup')}
  verify:${step('verify', outcome === 'failed' ? ', FAILS: "1"' : '')}
  cleanup:${step('cleanup')}
`;
