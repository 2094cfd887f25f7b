import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

interface Step {
  name: string;
  id?: string;
  shell: string;
  'working-directory'?: string;
  env?: Record<string, string>;
  run: string;
}

interface Action {
  inputs: Record<string, { description: string; required?: boolean; default?: string }>;
  outputs: Record<string, { description: string; value: string }>;
  runs: { using: string; steps: Step[] };
}

const root = path.resolve(import.meta.dirname, '../..');

export async function readAction(): Promise<Action> {
  return parse(await readFile(path.join(root, 'action.yml'), 'utf8'));
}

export interface ActionRun {
  folder: string;
  inputs: Record<string, string>;
  env: Record<string, string>;
  pullRequest?: string;
}

export interface ActionResult {
  /** Of the step that failed, or 0. */
  exitCode: number;
  outputs: Record<string, string>;
  log: string;
  summary: string;
}

/** Runs the steps of the action as GitHub would, as far as they need it. */
export async function runAction({
  folder,
  inputs,
  env,
  pullRequest = '',
}: ActionRun): Promise<ActionResult> {
  const action = await readAction();
  const place = (name: string) => path.join(folder, 'github', name);
  await mkdir(place('temp'), { recursive: true });
  await writeFile(place('summary.md'), '');
  const values = new Map<string, string>([
    ['runner.temp', place('temp')],
    ['github.repository', 'team/repo'],
    ['github.event.pull_request.number', pullRequest],
  ]);
  for (const [name, { default: initial = '' }] of Object.entries(action.inputs)) {
    values.set(`inputs.${name}`, inputs[name] ?? initial);
  }
  const filled = (text: string) =>
    text.replace(/\$\{\{ (\S+) \}\}/g, (_, expression: string) => {
      const value = values.get(expression);
      if (value === undefined && !expression.startsWith('steps.')) throw new Error(expression);
      return value ?? '';
    });
  let log = '';
  let exitCode = 0;
  for (const [index, step] of action.runs.steps.entries()) {
    const outputFile = place(`output-${index}`);
    await writeFile(outputFile, '');
    const own = Object.entries(step.env ?? {}).map(([key, value]) => [key, filled(value)]);
    const ended = await bash(
      step.run,
      path.join(folder, filled(step['working-directory'] ?? '.')),
      {
        ...env,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: folder,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: place('summary.md'),
        ...Object.fromEntries(own),
      },
    );
    log += `# ${step.name}\n${ended.log}`;
    for (const line of (await readFile(outputFile, 'utf8')).split('\n')) {
      const [, key, value = ''] = /^([^=]+)=(.*)$/.exec(line) ?? [];
      if (key !== undefined) values.set(`steps.${step.id}.outputs.${key}`, value);
    }
    exitCode = ended.exitCode;
    if (exitCode !== 0) break;
  }
  const outputs = Object.entries(action.outputs).map(([key, { value }]) => [key, filled(value)]);
  const summary = await readFile(place('summary.md'), 'utf8');
  return { exitCode, outputs: Object.fromEntries(outputs), log, summary };
}

/** With the options that GitHub gives it. */
function bash(script: string, cwd: string, env: Record<string, string>) {
  return new Promise<{ exitCode: number; log: string }>((resolve, reject) => {
    const options = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const child = spawn('bash', options, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let log = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
    }
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? -1, log }));
  });
}
