import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { chmod, copyFile, mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { markedProcesses } from '../../testing/marked-processes.js';
import { appearance } from './appearance.js';
import { type RunningCheck, startCheck } from './running-check.js';

const fixtures = path.resolve(import.meta.dirname, '../fixtures');
const serverScript = path.join(fixtures, 'servers/shell-stdio-server.sh');

/** At one gate. */
const maxWaiting = 256;

export interface CheckSuiteOptions {
  /** Names of tasks. */
  tasks: readonly string[];
  parallel?: boolean;
  runs?: number;
  /** `scripted` calls the server once; `command` is a program that can be held up. */
  agent?: 'scripted' | 'command';
  /** More of the eval's `config`. */
  config?: object;
  /** More for the environment of `proctor`. */
  env?: Record<string, string>;
}

/** A line that a step has left: which step, of which task, with which {random.id}. */
export interface Trace {
  step: string;
  task: string;
  id: string;
}

/**
 * A suite whose steps leave traces and can be held up, in a folder of its own with a place for
 * temporary files of its own: whatever a check leaves behind is found.
 */
export class CheckSuite {
  readonly folder: string;
  readonly temporary: string;
  readonly #env: Record<string, string>;
  /** Gates: as long as they are held open, nobody is stuck there. */
  readonly #released: number[] = [];

  private constructor(folder: string, env: Record<string, string>) {
    this.folder = folder;
    this.temporary = path.join(folder, 'tmp');
    this.#env = env;
  }

  static async create(options: CheckSuiteOptions): Promise<CheckSuite> {
    const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'proctor-suite-')));
    const suite = new CheckSuite(folder, options.env ?? {});
    for (const name of ['tmp', 'home', 'gates', 'tasks']) await mkdir(path.join(folder, name));
    for (const name of ['step.sh', 'agent.sh']) {
      await copyFile(path.join(fixtures, 'recovery', name), path.join(folder, name));
      await chmod(path.join(folder, name), 0o755);
    }
    await suite.write('eval.yaml', evalFile(options));
    await suite.write('agent.yaml', options.agent === 'command' ? commandAgent : scriptedAgent);
    await suite.write('mcp.yaml', mcpConfig);
    for (const task of options.tasks)
      await suite.write(`tasks/${task}.yaml`, taskFile(task, options));
    return suite;
  }

  /** In the environment of everything that a check of it starts. */
  get mark(): string {
    return `TMPDIR=${this.temporary}`;
  }

  get results(): string {
    return path.join(this.folder, 'proctor-suite-out.json');
  }

  get journal(): string {
    return path.join(this.folder, 'proctor-suite-out.jsonl');
  }

  /** Of whatever runs the suite, besides PATH. */
  get environment(): Record<string, string> {
    return {
      HOME: path.join(this.folder, 'home'),
      TMPDIR: this.temporary,
      LOG: path.join(this.folder, 'log'),
      GATES: path.join(this.folder, 'gates'),
      SERVER: serverScript,
      SHELL: '/bin/sh',
      ...this.#env,
    };
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(path.join(this.folder, name), text);
  }

  /** Begins `proctor check`. No file may grow larger than `blocks` of 512 bytes. */
  start(
    args: readonly string[] = [],
    env: Record<string, string> = {},
    blocks?: number,
  ): RunningCheck {
    return startCheck(['check', 'eval.yaml', ...args], {
      ...(blocks !== undefined && { blocks }),
      cwd: this.folder,
      env: { ...this.environment, ...env },
    });
  }

  /** Runs `proctor check` to its end. */
  check(...args: string[]) {
    return this.start(args).ended;
  }

  /** Holds up a step of a task, from now on. */
  close(step: string, task: string): void {
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', this.#gate(step, task)]);
  }

  /** When the step is there. */
  reached(step: string, task: string): Promise<void> {
    return appearance(`${this.#gate(step, task)}.reached`);
  }

  /** For those that come: whoever waits at the gate waits for ever. */
  open(step: string, task: string): void {
    for (const end of ['', '.reached']) rmSync(`${this.#gate(step, task)}${end}`, { force: true });
  }

  /** Lets everybody go on who waits, or is about to. */
  release(step: string, task: string): void {
    const gate = openSync(this.#gate(step, task), 'r+');
    this.#released.push(gate);
    this.open(step, task);
    writeSync(gate, '\n'.repeat(maxWaiting));
  }

  /** What the steps have left, in order. */
  traces(step?: string, task?: string): Trace[] {
    const log = path.join(this.folder, 'log');
    const lines = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return lines
      .map((line) => {
        const [step = '', task = '', id = ''] = line.split(' ');
        return { step, task, id };
      })
      .filter(
        (trace) => (step ?? trace.step) === trace.step && (task ?? trace.task) === trace.task,
      );
  }

  async remove(): Promise<void> {
    for (const gate of this.#released.splice(0)) closeSync(gate);
    for (const { pid } of markedProcesses(this.mark)) process.kill(pid, 'SIGKILL');
    await rm(this.folder, { recursive: true, force: true });
  }

  #gate(step: string, task: string): string {
    return path.join(this.folder, 'gates', `${step}-${task}`);
  }
}

const evalFile = ({ runs = 1, config = {} }: CheckSuiteOptions) => `kind: Eval
apiVersion: proctor/v1
metadata: { name: suite }
config:
  agent: { type: file, path: agent.yaml }
  mcpConfigFile: mcp.yaml
${Object.entries(config).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`)}  taskSets:
    - glob: tasks/*.yaml
      runs: ${runs}
`;

const mcpConfig = `mcpServers:
  shell:
    command: /bin/sh
    args: ["\${SERVER}"]
    enableAllTools: true
`;

const scriptedAgent = `kind: Agent
metadata: { name: scripted }
scripted:
  - do:
      - call: { server: shell, tool: note }
      - say: done
`;

const commandAgent = `kind: Agent
metadata: { name: program }
commands:
  argTemplateMcpServer: ""
  argTemplateAllowedTools: ""
  runPrompt: '"$GATES/../agent.sh" {{ .Prompt }}'
`;

const step = (name: string, more = '') => `
    - id: ${name}
      script:
        file: ../step.sh
        env: { STEP: ${name}, ID: "{random.id}"${more} }`;

const taskFile = (name: string, { parallel = false }: CheckSuiteOptions) => `kind: Task
apiVersion: proctor/v1
metadata: { name: ${name}, parallel: ${parallel} }
spec:
  prompt: { inline: Do ${name}. }
  setup:${step('setup')}
  verify:${step('verify')}
  cleanup:${step('cleanup')}
    - id: undo
      script:
        inline: echo "undo $PROCTOR_TASK_NAME $MADE" >>"$LOG"
        env: { MADE: "{steps.setup.stdout}" }
`;
