import path from 'node:path';
import { inject } from 'vitest';
import { examples } from './cli.js';
import { run, type ShellEnd, type ShellRun } from './example-shell.js';
import { type Container, exampleManifest } from './kubernetes-manifests.js';
import type { ScratchSuite } from './scratch-suite.js';

export const checkInPod = path.join(examples, 'kubernetes/check-in-pod.sh');

/** The one container of a manifest in the examples. */
export function containerOf(kind: string, name: string): Container {
  const [container] = exampleManifest(kind, name).spec.template?.spec.containers ?? [];
  if (!container) throw new Error(`${name} has no container`);
  return container;
}

/** What a pod would be called with, with the suite for /evals and a folder of it for /results. */
export function containerCall(
  suite: ScratchSuite,
  { command, args, env }: Container,
  more: Record<string, string> = {},
): { words: string[]; around: ShellRun } {
  const mounted = (text: string) =>
    text
      .replaceAll('/evals/', `${suite.folder}/`)
      .replaceAll('/results/', `${suite.path('results')}/`);
  const own = Object.fromEntries(env.map(({ name, value = '' }) => [name, mounted(value)]));
  const variables: Record<string, string> = { ...own, ...more };
  const words = [...command, ...args].map((word) =>
    mounted(word).replace(/\$\((\w+)\)/g, (whole, name: string) => variables[name] ?? whole),
  );
  return {
    words: words.map((word) => (word === 'check-in-pod' ? checkInPod : word)),
    around: {
      cwd: suite.folder,
      bin: suite.path('bin'),
      env: { HOME: inject('homeFolder'), TMPDIR: suite.temporaryFolder, ...variables },
    },
  };
}

/** Runs a container to its end, as the pod would. */
export function runContainer(
  suite: ScratchSuite,
  container: Container,
  more: Record<string, string> = {},
): Promise<ShellEnd> {
  const { words, around } = containerCall(suite, container, more);
  return run(words, around);
}
