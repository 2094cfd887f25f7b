import { createHash } from 'node:crypto';
import { sep } from 'node:path';
import * as z from 'zod/mini';
import { DamagedBundleError } from './bundle-errors.js';

/** Bytes: a file that is longer is cut into blobs of this length. */
export const pieceBytes = 8 * 1024 * 1024;
export const maxEntries = 20_000;
/** As many entries, each with the longest path that there is. */
export const maxManifestBytes = 128 * 1024 * 1024;

const schemaName = 'mcp-proctor/bundle/v1';

const sha256Schema = z.string().check(z.regex(/^[0-9a-f]{64}$/));
const fileSchema = z.strictObject({
  path: z.string(),
  size: z.int().check(z.minimum(0)),
  executable: z.optional(z.literal(true)),
  /** The SHA-256 of each piece. */
  pieces: z.array(sha256Schema),
});
const linkSchema = z.strictObject({ path: z.string(), link: z.string() });
/** Only those with nothing in them: the others follow from their files. */
const folderSchema = z.strictObject({ path: z.string(), folder: z.literal(true) });
const manifestSchema = z.strictObject({
  schema: z.literal(schemaName),
  entries: z.array(z.union([fileSchema, linkSchema, folderSchema])),
});

export type BundleFile = z.infer<typeof fileSchema>;
export type BundleLink = z.infer<typeof linkSchema>;
type BundleFolder = z.infer<typeof folderSchema>;
export type BundleEntry = BundleFile | BundleLink | BundleFolder;

/** A piece of a file, where it stands in it. */
export interface Piece {
  sha256: string;
  offset: number;
  size: number;
}

/** What is in a bundle: paths below its root, with slashes, and what is there. */
export class Manifest {
  readonly entries: readonly BundleEntry[];
  /** The same for the same content, on every machine. */
  readonly text: string;
  readonly id: string;

  constructor(entries: readonly BundleEntry[]) {
    this.entries = entries.map(inOrder).sort((left, right) => (left.path < right.path ? -1 : 1));
    this.text = JSON.stringify({ schema: schemaName, entries: this.entries });
    this.id = sha256Of(this.text);
  }

  /** Reads a text that came from elsewhere. Throws DamagedBundleError, also if anything could be written outside. */
  static parse(id: string, text: string): Manifest {
    if (sha256Of(text) !== id)
      throw new DamagedBundleError(id, 'its list of files has another digest');
    const refuse = (reason: string) => new DamagedBundleError(id, reason);
    const parsed = manifestSchema.safeParse(jsonOf(text));
    if (!parsed.success) throw refuse('its list of files was not made by this version of Proctor');
    const { entries } = parsed.data;
    if (entries.length > maxEntries) throw refuse(`it has more than ${maxEntries} files`);
    const flaw = flawOf(entries);
    if (flaw !== undefined) throw refuse(flaw);
    const manifest = new Manifest(entries);
    if (manifest.id !== id) throw refuse('its list of files is not in order');
    return manifest;
  }

  get files(): BundleFile[] {
    return this.entries.filter((entry) => 'pieces' in entry);
  }

  get links(): BundleLink[] {
    return this.entries.filter((entry) => 'link' in entry);
  }

  /** Every folder that has to be there, those above first. */
  get folders(): string[] {
    const folders = new Set<string>();
    for (const entry of this.entries) {
      for (const folder of foldersAbove(entry.path)) folders.add(folder);
      if ('folder' in entry) folders.add(entry.path);
    }
    return [...folders].sort();
  }

  get bytes(): number {
    return this.files.reduce((sum, { size }) => sum + size, 0);
  }
}

export function piecesOf({ size, pieces }: BundleFile): Piece[] {
  return pieces.map((sha256, index) => {
    const offset = index * pieceBytes;
    return { sha256, offset, size: Math.min(pieceBytes, size - offset) };
  });
}

export function sha256Of(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

function inOrder(entry: BundleEntry): BundleEntry {
  if ('link' in entry) return { path: entry.path, link: entry.link };
  if ('folder' in entry) return { path: entry.path, folder: true };
  const { path, size, executable, pieces } = entry;
  return { path, size, ...(executable && { executable }), pieces };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function flawOf(entries: readonly BundleEntry[]): string | undefined {
  const paths = new Set(entries.map(({ path }) => path));
  if (paths.size < entries.length) return 'a path is in it twice';
  for (const entry of entries) {
    const { path } = entry;
    if (!isSafePath(path)) return `the path ${JSON.stringify(path)} could leave its folder`;
    // Also of a link: whatever lies below it would be written to where it leads.
    const above = foldersAbove(path).find((folder) => paths.has(folder));
    if (above !== undefined)
      return `${JSON.stringify(path)} is below ${above}, which is not a folder`;
    if ('link' in entry && !isSafeLink(path, entry.link)) {
      return `the link ${JSON.stringify(path)} could leave its folder`;
    }
    if ('pieces' in entry && entry.pieces.length !== Math.ceil(entry.size / pieceBytes)) {
      return `the size of ${JSON.stringify(path)} is not that of its pieces`;
    }
  }
  return undefined;
}

function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** Whether a path of a manifest stays below the folder that it is from, on this system too. */
function isSafePath(path: string): boolean {
  return path.split('/').every(isName);
}

/**
 * Whether a link at this path leads to a place below the same folder. It may only go up at its start:
 * after a name, which can be a link itself, `..` would go up from wherever that one leads.
 */
function isSafeLink(path: string, target: string): boolean {
  if (target === '.') return true;
  const steps = target.split('/');
  const firstName = steps.findIndex((step) => step !== '..');
  const ups = firstName === -1 ? steps.length : firstName;
  const depth = path.split('/').length - 1;
  return ups <= depth && steps.slice(ups).every(isName);
}

function isName(name: string): boolean {
  if (name === '' || name === '.' || name === '..' || name.includes('\0')) return false;
  // Where `\` parts names, `C:` and `file:stream` mean something too.
  return sep === '/' || !/[\\:]/.test(name);
}
