import { cp, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { examples } from './cli.js';
import { programs, run } from './example-shell.js';

interface Step {
  if?: string;
  uses?: string;
  with?: Record<string, string>;
  env?: Record<string, string>;
  run?: string;
}

interface Job {
  needs?: string;
  if?: string;
  strategy?: { matrix: { shard: number[] } };
  steps: Step[];
}

interface Workflow {
  env: Record<string, string>;
  jobs: Record<string, Job>;
}

export const workflowFile = path.join(examples, 'ci/github-actions.yml');

export async function readWorkflow(): Promise<Workflow> {
  return parse(await readFile(workflowFile, 'utf8'));
}

export interface JobEnd {
  /** Of the step that failed, or 0. */
  exitCode: number | null;
  log: string;
  summary: string;
}

/** One run of the workflow: what its jobs would do on GitHub, as far as they need it. */
export class WorkflowRun {
  readonly #folder: string;
  readonly #suiteFolder: string;
  readonly #workflow: Workflow;
  readonly #env: Record<string, string>;
  /** Of `programs`. */
  readonly #bin: string;

  /** Folders of jobs and artifacts are made in `folder`; `gh` is the script of that program. */
  static async create(
    folder: string,
    suiteFolder: string,
    { gh = '', env = {} }: { gh?: string; env?: Record<string, string> } = {},
  ): Promise<WorkflowRun> {
    const bin = await programs(folder, { gh });
    return new WorkflowRun(folder, suiteFolder, await readWorkflow(), env, bin);
  }

  private constructor(
    folder: string,
    suiteFolder: string,
    workflow: Workflow,
    env: Record<string, string>,
    bin: string,
  ) {
    this.#folder = folder;
    this.#suiteFolder = suiteFolder;
    this.#workflow = workflow;
    this.#env = env;
    this.#bin = bin;
  }

  get shards(): number[] {
    return this.#workflow.jobs.shard?.strategy?.matrix.shard ?? [];
  }

  artifact(name: string, file = ''): string {
    return path.join(this.#folder, 'artifacts', name, file);
  }

  /** Runs a job in a folder of its own. */
  async job(name: string, shard?: number): Promise<JobEnd> {
    const job = this.#workflow.jobs[name];
    if (!job) throw new Error(`the workflow has no job ${name}`);
    const cwd = await mkdtemp(path.join(this.#folder, `${name}-`));
    const values = new Map([
      ['matrix.shard', String(shard)],
      ['strategy.job-total', String(this.shards.length)],
      ['github.token', 'token'],
      ['secrets.ANTHROPIC_API_KEY', 'key'],
    ]);
    const filled = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
        const value = values.get(expression);
        if (value === undefined) throw new Error(`who knows ${expression}?`);
        return value;
      });
    const summary = path.join(cwd, 'summary.md');
    await writeFile(summary, '');
    let log = '';
    let exitCode: number | null = 0;
    for (const step of job.steps) {
      if (exitCode !== 0 && step.if !== 'always()') continue;
      const inputs = Object.entries(step.with ?? {}).map(([key, value]) => [
        key,
        filled(String(value)),
      ]);
      if (step.uses) await this.#use(step.uses, Object.fromEntries(inputs), cwd);
      if (step.run === undefined) continue;
      const own = Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]);
      const env = {
        ...{ ...this.#env, ...this.#workflow.env, ...Object.fromEntries(own) },
        ...{ GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary },
        ...{ GITHUB_REPOSITORY: 'team/repo', GITHUB_WORKFLOW: 'Evaluate' },
      };
      // With the options that GitHub gives it.
      const bash = ['bash', '--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
      const ended = await run(bash, { cwd, bin: this.#bin, env });
      log += `$ ${step.run}\n${ended.log}`;
      if (exitCode === 0) exitCode = ended.exitCode;
    }
    return { exitCode, log, summary: await readFile(summary, 'utf8') };
  }

  async #use(action: string, inputs: Record<string, string>, cwd: string): Promise<void> {
    const name = action.split('@')[0];
    if (name === 'actions/checkout') await cp(this.#suiteFolder, path.join(cwd, 'evals'), copy);
    else if (name === 'actions/upload-artifact') await this.#upload(inputs, cwd);
    else if (name === 'actions/download-artifact') await this.#download(inputs, cwd);
    else if (name !== 'actions/setup-node') throw new Error(`who knows ${action}?`);
  }

  async #upload({ name = '', path: paths = '' }: Record<string, string>, cwd: string) {
    for (const line of paths.trim().split('\n')) {
      const folder = path.join(cwd, path.dirname(line));
      for (const file of await matching(folder, path.basename(line))) {
        await cp(path.join(folder, file), this.artifact(name, file), copy);
      }
    }
  }

  async #download({ pattern = '', path: to = '' }: Record<string, string>, cwd: string) {
    for (const name of await matching(this.artifact(''), pattern)) {
      await cp(this.artifact(name), path.join(cwd, to), copy);
    }
  }
}

const copy = { recursive: true };

/** Names in a folder, which may be missing, that a pattern with `*` matches. */
async function matching(folder: string, pattern: string): Promise<string[]> {
  const isThere = await stat(folder).catch(() => undefined);
  const parts = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
  const expression = new RegExp(`^${parts.join('.*')}$`);
  return isThere ? (await readdir(folder)).filter((name) => expression.test(name)) : [];
}
