import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Deployment } from 'kubernetes-models/apps/v1/Deployment';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PersistentVolumeClaim } from 'kubernetes-models/v1/PersistentVolumeClaim';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';
import { examples } from './cli.js';

/** A container of the examples, as far as tests look at it. */
export interface Container {
  name: string;
  image: string;
  command: string[];
  args: string[];
  env: { name: string; value?: string }[];
  envFrom?: object[];
  readinessProbe?: { exec: { command: string[] } };
  resources: { limits?: object };
  securityContext?: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
}

export interface PodSpec {
  automountServiceAccountToken?: boolean;
  securityContext?: Record<string, unknown>;
  containers: Container[];
  volumes?: { name: string }[];
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: {
    completions?: number;
    selector?: { matchLabels?: Record<string, string> };
    template?: { metadata: { labels: Record<string, string> }; spec: PodSpec };
    volumeClaimTemplates?: { metadata: { name: string } }[];
  };
}

export interface ExampleManifest {
  /** From the folder of the examples for Kubernetes. */
  file: string;
  manifest: Manifest;
}

const folder = path.join(examples, 'kubernetes');

/** Every object in every file of the examples. */
export function exampleManifests(): ExampleManifest[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) =>
      parseAllDocuments(readFileSync(path.join(folder, file), 'utf8')).map((document) => ({
        file,
        manifest: document.toJS({ mapAsMap: false }) as Manifest,
      })),
    );
}

/** The object of this name; a test that looks for one that is gone has to fail. */
export function exampleManifest(kind: string, name: string): Manifest {
  const found = exampleManifests().find(
    ({ manifest }) => manifest.kind === kind && manifest.metadata.name === name,
  );
  if (!found) throw new Error(`the examples have no ${kind} ${name}`);
  return structuredClone(found.manifest);
}

const validators: Record<string, { prototype: { validate(): void } }> = {
  'apps/v1 Deployment': Deployment,
  'apps/v1 StatefulSet': StatefulSet,
  'batch/v1 Job': Job,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'v1 PersistentVolumeClaim': PersistentVolumeClaim,
  'v1 Service': Service,
};

/** What Kubernetes would not take: by its schemas, and fields that it does not know. */
export function schemaProblems(manifest: Manifest): string[] {
  const kind = `${manifest.apiVersion} ${manifest.kind}`;
  const validator = validators[kind];
  if (!validator) return [`there is no schema of ${kind}`];
  const { watched, unread } = watchedData(manifest);
  try {
    validator.prototype.validate.call(watched);
  } catch (error) {
    return [(error as Error).message];
  }
  return unread().map((field) => `${field} is no field that ${kind} has`);
}

/**
 * Like kubectl, and unlike the schemas, this takes a field that nobody knows for a mistake. The
 * validators are compiled, so their schemas cannot be asked; but they ask for every field they know.
 */
function watchedData(data: object): { watched: object; unread(): string[] } {
  const fields = new Map<string, boolean>();
  const watch = (value: unknown, at: string): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const copy = Array.isArray(value) ? [...value] : { ...value };
    for (const [key, member] of Object.entries(value)) {
      fields.set(`${at}/${key}`, false);
      Reflect.set(copy, key, watch(member, `${at}/${key}`));
    }
    return new Proxy(copy, {
      get(target, key, receiver) {
        if (typeof key === 'string' && Object.hasOwn(target, key)) fields.set(`${at}/${key}`, true);
        return Reflect.get(target, key, receiver);
      },
    });
  };
  const watched = watch(data, '') as object;
  return {
    watched,
    unread: () => [...fields].filter(([, isRead]) => !isRead).map(([field]) => field),
  };
}
