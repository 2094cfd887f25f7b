import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { documentationPages, documentationSnippets } from './doc-snippets.js';
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

/** Every call of `proctor` in documentation and examples, as the shell makes it out of what is written. */
export async function documentedCommandLines(): Promise<CommandLine[]> {
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
    ...documentationScripts(),
    ...containerScripts(),
    ...probeScripts(),
  ];
  const all: CommandLine[] = [];
  for (const { where, script } of scripts) {
    for (const words of await callsIn(script)) all.push({ where, words });
  }
  return all;
}

/** However a page starts it. */
const programName = /(?:npx (?:-y )?(?:mcp-)?proctor|node dist\/proctor\.cjs)(?= )/g;

/**
 * The lines of pages that call it: of shell scripts, of what somebody types at a prompt, and of workflows.
 * Others, such as those of kubectl, are not ours to know.
 */
function documentationScripts() {
  return documentationSnippets()
    .filter(({ language }) => ['sh', 'console', 'text', 'yaml'].includes(language))
    .flatMap(({ where, language, text }) => {
      const lines = text
        .replace(programName, 'proctor')
        .replace(/\\\n\s*/g, ' ')
        .split('\n')
        // As a step of a workflow, and as a line of a pipeline.
        // Where output goes is the shell's business, and not always bash's.
        .map((line) => line.replace(/ > \S+/, ''))
        // What kubectl runs in a container is ours again.
        .map((line) => line.replace(/^kubectl exec .* -- (?=proctor )/, ''))
        .map((line) => (language === 'yaml' ? line.replace(/^ *- (?:run: )?/, '') : line).trim());
      const start = language === 'console' || language === 'text' ? '$ proctor ' : 'proctor ';
      return (
        lines
          .filter((line) => line.startsWith(start) || line.includes(`&& ${start}`))
          // The outline of a call, above the table of its options.
          .filter((line) => !/ (?:\[options\]|<[\w.]+>)$/.test(line))
          .map((line) => ({ where, script: line.replace(/^\$ /, '') }))
      );
    });
}

/** What is said in the middle of a sentence, if it is a whole command and no outline of one. */
export function mentionedCommandLines(): CommandLine[] {
  return documentationPages().flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:npx (?:mcp-)?)?proctor [^`]*)`/g)].flatMap(([, mention = '']) => {
      const words = mention.replace(programName, 'proctor').split(/\s+/).slice(1);
      const isOutline = words.some((word) => /[|\\[\]<>'"]/.test(word));
      return isOutline ? [] : [{ where: file, words }];
    }),
  );
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
    const bin = await programs(folder, { proctor, gh: ':', git: ':' });
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
