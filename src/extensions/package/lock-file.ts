import path from 'node:path';
import * as z from 'zod/mini';
import { ExtensionError } from '../extension-definition.js';
import { readSmallJson, writeWholeFile } from './cache-folder.js';

/** A release's file for a platform. */
const releaseFileSchema = z.strictObject({
  name: z.string(),
  /** Strictly a hash, as it is also the name of a folder. */
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
});

/** The release that a package was resolved to. */
export const knownReleaseSchema = z.strictObject({
  /** The release's tag. */
  version: z.string(),
  file: releaseFileSchema,
});

export type ReleaseFile = z.infer<typeof releaseFileSchema>;
export type KnownRelease = z.infer<typeof knownReleaseSchema>;

const schemaName = 'mcp-proctor/lock/v1';

const sourcePinSchema = z.strictObject({
  repo: z.string(),
  ref: z.string(),
  commit: z.string().check(z.regex(/^[0-9a-f]{40,64}$/)),
  submodules: z.optional(z.boolean()),
});

/** A source of tasks and the commit that it is pinned to. Evals may give it any name. */
export type SourcePin = z.infer<typeof sourcePinSchema>;

function isSameSource(one: Omit<SourcePin, 'commit'>, other: Omit<SourcePin, 'commit'>): boolean {
  const [here, there] = [one, other].map(({ submodules = false }) => submodules);
  return one.repo === other.repo && one.ref === other.ref && here === there;
}

const lockSchema = z.strictObject({
  schema: z.literal(schemaName),
  extensions: z.record(
    z.string(),
    z.strictObject({ version: z.string(), files: z.record(z.string(), releaseFileSchema) }),
  ),
  sources: z.optional(z.array(sourcePinSchema)),
});

type Lock = z.infer<typeof lockSchema>;

/** The pinned release of an extension on a platform. */
export interface Pin extends KnownRelease {
  /** The package as written in the eval. */
  package: string;
  platform: string;
}

/** Serialises writes, also of different files: two at once would lose an entry. */
let writing: Promise<void> = Promise.resolve();

/** `proctor.lock.json` beside an eval. */
export class LockFile {
  readonly path: string;

  constructor(folder: string) {
    this.path = path.join(folder, 'proctor.lock.json');
  }

  /** Throws ExtensionError if there is a lock file that cannot be understood. */
  async pinned(pin: Pick<Pin, 'package' | 'platform'>): Promise<KnownRelease | undefined> {
    const { extensions } = await this.#read();
    const entry = readOwnKey(extensions, pin.package);
    const file = readOwnKey(entry?.files, pin.platform);
    return entry && file && { version: entry.version, file };
  }

  /** Adds an entry, and leaves all others. Throws ExtensionError, and what the file system says. */
  pin(pin: Pin): Promise<void> {
    const written = writing.then(() => this.#add(pin));
    writing = written.catch(() => {});
    return written;
  }

  /** Throws ExtensionError if there is a lock file that cannot be understood. */
  async pinnedSource(wanted: Omit<SourcePin, 'commit'>): Promise<SourcePin | undefined> {
    const { sources = [] } = await this.#read();
    return sources.find((pin) => isSameSource(pin, wanted));
  }

  /** Adds or replaces an entry. Throws ExtensionError, and what the file system says. */
  pinSource(pin: SourcePin): Promise<void> {
    const written = writing.then(async () => {
      const lock = await this.#read();
      const others = (lock.sources ?? []).filter((source) => !isSameSource(source, pin));
      const key = ({ repo, ref }: SourcePin) => JSON.stringify([repo, ref]);
      const sources = [...others, pin].sort((left, right) => (key(left) < key(right) ? -1 : 1));
      await this.#write({ ...lock, sources });
    });
    writing = written.catch(() => {});
    return written;
  }

  #write(lock: Lock): Promise<void> {
    return writeWholeFile(this.path, `${JSON.stringify(lock, null, 2)}\n`);
  }

  async #add({ package: key, version, platform, file }: Pin): Promise<void> {
    const lock = await this.#read();
    const { extensions } = lock;
    const files = { ...readOwnKey(extensions, key)?.files, [platform]: file };
    const entry = { version, files: sortKeys(files) };
    await this.#write({ ...lock, extensions: sortKeys({ ...extensions, [key]: entry }) });
  }

  async #read(): Promise<Lock> {
    const data = await readSmallJson(this.path).catch((error: Error) => {
      throw this.#broken(error.message, error);
    });
    if (data === undefined) return { schema: schemaName, extensions: {} };
    const { success, data: lock, error } = lockSchema.safeParse(data);
    if (success) return lock;
    const [issue] = error.issues;
    throw this.#broken(`${issue?.path.join('.') || 'the file'}: ${issue?.message}`);
  }

  #broken(reason: string, cause?: unknown): ExtensionError {
    return new ExtensionError(`the lock file ${this.path} cannot be used: ${reason}`, {
      hint: 'restore it from version control, or delete it to pin everything again',
      cause,
    });
  }
}

function readOwnKey<Value>(record: Readonly<Record<string, Value>> | undefined, key: string) {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

function sortKeys<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  const byKey = ([left]: [string, unknown], [right]: [string, unknown]) => (left < right ? -1 : 1);
  return Object.fromEntries(Object.entries(record).sort(byKey));
}
