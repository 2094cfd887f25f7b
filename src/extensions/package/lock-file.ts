import path from 'node:path';
import * as z from 'zod/mini';
import { ExtensionError } from '../extension-definition.js';
import { type KnownRelease, releaseFileSchema } from './known-release.js';
import { readSmallJson } from './small-json-file.js';
import { writeWholeFile } from './write-whole-file.js';

const schemaName = 'mcp-proctor/lock/v1';

const lockSchema = z.strictObject({
  schema: z.literal(schemaName),
  extensions: z.record(
    z.string(),
    z.strictObject({ version: z.string(), files: z.record(z.string(), releaseFileSchema) }),
  ),
});

type Lock = z.infer<typeof lockSchema>;

/** What an extension must be on a platform. */
export interface Pin extends KnownRelease {
  /** As written in the eval. */
  package: string;
  platform: string;
}

/** One after the other, also of different files: two at once would lose an entry. */
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
    const entry = own(extensions, pin.package);
    const file = own(entry?.files, pin.platform);
    return entry && file && { version: entry.version, file };
  }

  /** Adds an entry, and leaves all others. Throws ExtensionError, and what the file system says. */
  pin(pin: Pin): Promise<void> {
    const written = writing.then(() => this.#add(pin));
    writing = written.catch(() => {});
    return written;
  }

  async #add({ package: key, version, platform, file }: Pin): Promise<void> {
    const { extensions } = await this.#read();
    const files = { ...own(extensions, key)?.files, [platform]: file };
    const entry = { version, files: inOrder(files) };
    const lock: Lock = {
      schema: schemaName,
      extensions: inOrder({ ...extensions, [key]: entry }),
    };
    await writeWholeFile(this.path, `${JSON.stringify(lock, null, 2)}\n`);
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
      hint: 'restore it from version control, or delete it to pin the extensions anew',
      cause,
    });
  }
}

function own<Value>(record: Readonly<Record<string, Value>> | undefined, key: string) {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

function inOrder<Value>(record: Readonly<Record<string, Value>>): Record<string, Value> {
  const byKey = ([left]: [string, unknown], [right]: [string, unknown]) => (left < right ? -1 : 1);
  return Object.fromEntries(Object.entries(record).sort(byKey));
}
