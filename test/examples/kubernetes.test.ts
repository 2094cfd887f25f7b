import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { examples } from '../support/cli.js';
import {
  exampleManifest,
  exampleManifests,
  type Manifest,
  type PodSpec,
  schemaProblems,
} from '../support/kubernetes-manifests.js';
import { missingHardening } from '../support/pod-hardening.js';

const all = exampleManifests();
const podsOf = ({ spec }: Manifest): PodSpec[] => (spec.template ? [spec.template.spec] : []);
const named = all.map(
  ({ file, manifest }) =>
    [`${file}: ${manifest.kind} ${manifest.metadata.name}`, manifest] as const,
);
const withPods = named.filter(([, manifest]) => podsOf(manifest).length > 0);

/** The container of a Job or Deployment. */
function containerOf(manifest: Manifest) {
  const [container] = podsOf(manifest).flatMap(({ containers }) => containers);
  if (!container) throw new Error(`${manifest.metadata.name} has no container`);
  return container;
}

describe('the examples for Kubernetes', () => {
  it('are those that their documentation speaks of', () => {
    expect(named.map(([name]) => name)).toEqual([
      'results-volume.yaml: PersistentVolumeClaim evals-results',
      'shards/results.yaml: Job evals-run-1-results',
      'shards/shards.yaml: Job evals-run-1',
      'workers/check.yaml: Job evals-queue-run-1',
      'workers/redis.yaml: Service evals-redis',
      'workers/redis.yaml: StatefulSet evals-redis',
      'workers/redis.yaml: NetworkPolicy evals-redis',
      'workers/workers.yaml: Deployment evals-worker',
    ]);
  });

  it.each(named)('%s is what Kubernetes takes', (_, manifest) => {
    expect(schemaProblems(manifest)).toEqual([]);
  });

  it.each(withPods)('%s gives agents no more than they need', (_, manifest) => {
    expect(podsOf(manifest).flatMap(missingHardening)).toEqual([]);
  });

  it.each(withPods)('%s mounts volumes that it has', (_, { spec, ...manifest }) => {
    const claims = spec.volumeClaimTemplates?.map(({ metadata }) => metadata.name) ?? [];
    for (const { containers, volumes = [] } of podsOf({ spec, ...manifest })) {
      const known = [...volumes.map(({ name }) => name), ...claims];
      const mounted = containers.flatMap(({ volumeMounts }) => volumeMounts);
      expect(known).toEqual(expect.arrayContaining(mounted.map(({ name }) => name)));
    }
  });

  it.each(withPods.filter(([, { spec }]) => spec.selector))('%s finds its pods', (_, { spec }) => {
    expect(spec.template?.metadata.labels).toMatchObject(spec.selector?.matchLabels ?? {});
  });

  it('have as many shards as pods', () => {
    const { spec } = exampleManifest('Job', 'evals-run-1');
    const { args } = containerOf(exampleManifest('Job', 'evals-run-1'));
    expect(args[args.indexOf('--shard') + 1]).toBe(String(spec.completions));
  });

  it('let through to Redis who needs it', () => {
    const policy = JSON.stringify(exampleManifest('NetworkPolicy', 'evals-redis').spec);
    expect(policy).toContain('{"matchLabels":{"evals-queue":"allowed"}}');
    for (const [kind, name] of [
      ['Deployment', 'evals-worker'],
      ['Job', 'evals-queue-run-1'],
    ] as const) {
      const { spec } = exampleManifest(kind, name);
      expect(spec.template?.metadata.labels['evals-queue']).toBe('allowed');
    }
  });

  it('install the version that they are written for', async () => {
    const { version } = JSON.parse(
      await readFile(path.resolve(examples, '../package.json'), 'utf8'),
    );
    const dockerfile = await readFile(path.join(examples, 'kubernetes/Dockerfile'), 'utf8');
    expect(dockerfile).toContain(` mcp-proctor@${version} `);
  });
});

describe('what is checked of the examples', () => {
  const job = () => exampleManifest('Job', 'evals-run-1');
  const changed = (change: (manifest: Manifest) => void) => {
    const manifest = job();
    change(manifest);
    return manifest;
  };

  it.each([
    [
      'a field in the wrong place',
      { completions: 4 },
      '/completions is no field that batch/v1 Job',
    ],
    ['another kind', { kind: 'Jobb' }, 'there is no schema of batch/v1 Jobb'],
    ['an older version', { apiVersion: 'batch/v1beta1' }, 'no schema of batch/v1beta1 Job'],
  ])('finds %s', (_, more, problem) => {
    expect(schemaProblems({ ...job(), ...more }).join('\n')).toContain(problem);
  });

  it.each([
    ['a misspelt field', { backofLimitPerIndex: 2 }, '/spec/backofLimitPerIndex is no field'],
    ['a wrong type', { completions: 'four' }, 'spec/completions must be integer'],
    ['a wrong word', { completionMode: 'Index' }, 'spec/completionMode must be equal to one of'],
    ['what is missing', { template: undefined }, 'must have required property template'],
  ])('finds %s', (_, more, problem) => {
    const manifest = job();
    const broken = { ...manifest, spec: { ...manifest.spec, ...more } } as Manifest;
    expect(schemaProblems(broken).join('\n')).toContain(problem);
  });

  it('looks into containers', () => {
    const misspelt = changed((manifest) => Object.assign(containerOf(manifest), { arg: [] }));
    expect(schemaProblems(misspelt)).toEqual([
      '/spec/template/spec/containers/0/arg is no field that batch/v1 Job has',
    ]);
    const quantity = changed((manifest) => {
      containerOf(manifest).resources = { limits: { memory: '2 GB' } };
    });
    expect(schemaProblems(quantity).join()).toContain('limits/memory must match format "quantity"');
  });

  it('finds pods that have more than they need', () => {
    const bare = changed((manifest) => {
      const container = containerOf(manifest);
      delete container.securityContext;
      container.resources = {};
      for (const pod of podsOf(manifest)) {
        delete pod.securityContext;
        delete pod.automountServiceAccountToken;
      }
    });
    expect(podsOf(bare).flatMap(missingHardening)).toEqual([
      'it has a token of the cluster',
      'it may run as root',
      'any system call is allowed',
      'proctor: it may get more rights',
      'proctor: it can change its image',
      'proctor: it has capabilities',
      'proctor: no cpu limit',
      'proctor: no memory limit',
    ]);
  });
});
