import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { examples } from './cli.js';
import { programs, run } from './example-shell.js';
import { readWorkflow } from './example-workflow.js';
import { gitlabFile, type Pipeline } from './gitlab-ci.js';
import { exampleManifests } from './kubernetes-manifests.js';

/** How an example calls `proctor`. */
export interface CommandLine {
  where: string;
  /** Behind `proctor`. */
  words: string[];
}

/** Every call of `proctor` in the examples, as the shell makes it out of what is written there. */
export async function exampleCommandLines(): Promise<CommandLine[]> {
  const { jobs } = await readWorkflow();
  const pipeline: Pipeline = parse(await readFile(gitlabFile, 'utf8'));
  const scripts = [
    ...Object.entries(jobs).flatMap(([name, { steps }]) =>
      steps.flatMap((step) =>
        step.run === undefined ? [] : [{ where: `github-actions.yml, ${name}`, script: step.run }],
      ),
    ),
    ...[pipeline.shard, pipeline.results].map(({ script }) => ({
      where: 'gitlab-ci.yml',
      script: script.join('\n'),
    })),
    ...readmeScripts(),
    ...containerScripts(),
    ...probeScripts(),
  ];
  const all: CommandLine[] = [];
  for (const { where, script } of scripts) {
    for (const words of await callsIn(script)) all.push({ where, words });
  }
  return all;
}

/** The lines of READMEs that call it. Others, such as those of kubectl, are not ours to know. */
function readmeScripts() {
  return readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((file) => path.basename(file) === 'README.md')
    .flatMap((where) => {
      const text = readFileSync(path.join(examples, where), 'utf8');
      const blocks = [...text.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = '']) => block);
      const lines = blocks.join('').replaceAll('\\\n', ' ').split('\n');
      return lines
        .filter((line) => line.startsWith('proctor '))
        .map((script) => ({ where, script }));
    });
}

function containerScripts() {
  return exampleManifests().flatMap(({ file, manifest }) =>
    (manifest.spec.template?.spec.containers ?? []).flatMap(({ command, args }) => {
      const [program = ''] = command;
      // Kubernetes fills in $(NAME) itself; as ${NAME}, a shell does.
      const quoted = args.map((word) => `"${word.replace(/\$\((\w+)\)/g, '${$1}')}"`).join(' ');
      if (program === '/bin/sh') return [{ where: file, script: args.join('\n') }];
      if (program === 'proctor') return [{ where: file, script: `proctor ${quoted}` }];
      if (program === 'check-in-pod') return [{ where: file, script: `proctor check ${quoted}` }];
      return [];
    }),
  );
}

/** What Kubernetes asks a container whether it is ready. */
function probeScripts() {
  return exampleManifests().flatMap(({ file, manifest }) =>
    (manifest.spec.template?.spec.containers ?? []).flatMap(({ readinessProbe }) => {
      const command = readinessProbe?.exec.command ?? [];
      return command[0] === 'proctor' ? [{ where: file, script: command.join(' ') }] : [];
    }),
  );
}

/** Between words, and between calls. */
const [wordEnd, callEnd] = ['\u001f', '\u001e'];

/** Runs a script in which `proctor` only writes down how it was called. */
async function callsIn(script: string): Promise<string[][]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'proctor-calls-'));
  try {
    const proctor = `{ printf '%s\\037' "$@"; printf '\\036'; } >> '${folder}/calls'`;
    const bin = await programs(folder, { proctor, gh: ':' });
    // Where it depends on results of an earlier run, they are there.
    await mkdir(path.join(folder, 'earlier'));
    await writeFile(path.join(folder, 'earlier/results.json'), '');
    await writeFile(path.join(folder, 'calls'), '');
    const env = {
      ...{ EVAL: 'eval.yaml', PROCTOR: 'mcp-proctor', GITHUB_STEP_SUMMARY: '/dev/null' },
      ...{ GITHUB_REPOSITORY: 'team/repo', GITHUB_WORKFLOW: 'Evaluate' },
      ...{ JOB_COMPLETION_INDEX: '0', POD_NAME: 'pod', QUEUE_URL: 'redis://:secret@redis:6379' },
      ...{ SHARD: '1', SHARDS: '4', CI_NODE_INDEX: '1', CI_NODE_TOTAL: '4', RESULTS: '.' },
    };
    const { log } = await run(['bash', '-uc', script], { cwd: folder, bin, env });
    if (log !== '') throw new Error(`${script}\n${log}`);
    const calls = (await readFile(path.join(folder, 'calls'), 'utf8')).split(callEnd);
    return calls.slice(0, -1).map((call) => call.split(wordEnd).slice(0, -1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
