import type { Pattern } from '../../config/patterns/pattern.js';
import { compileGlob } from '../../plan/glob.js';
import { IgnoreFileError } from './bundle-errors.js';

export const ignoreFileName = '.proctorignore';

interface Rule {
  pattern: Pattern;
  /** It began with `!`: what it matches travels after all. */
  readmits: boolean;
  /** It says a name, and does not happen to match it. */
  isName: boolean;
  foldersOnly: boolean;
}

/** What a `.proctorignore` says of a path; `named` if it takes back what Proctor leaves out itself. */
type Ruling = 'left-out' | 'readmitted' | 'named' | undefined;

/** A small part of what `.gitignore` can say, with the globs of task sets. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  private constructor(rules: readonly Rule[]) {
    this.#rules = rules;
  }

  /** Throws UnusableIgnoreFile with all that is wrong. */
  static parse(text: string, path: string): IgnoreRules {
    const rules: Rule[] = [];
    const flaws: { line: number; column: number; reason: string }[] = [];
    for (const [index, line] of text.split(/\r?\n/).entries()) {
      const rule = ruleOf(line);
      if (!rule) continue;
      if ('reason' in rule) flaws.push({ line: index + 1, ...rule });
      else rules.push(rule);
    }
    if (flaws.length > 0) throw new IgnoreFileError(path, flaws);
    return new IgnoreRules(rules);
  }

  /** The last line that matches decides. */
  rulingOn(path: string, isFolder: boolean): Ruling {
    const rule = this.#rules.findLast(
      ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && pattern.test(path),
    );
    if (!rule) return undefined;
    if (!rule.readmits) return 'left-out';
    return rule.isName ? 'named' : 'readmitted';
  }
}

function ruleOf(line: string): Rule | { column: number; reason: string } | undefined {
  const written = line.trimEnd();
  if (written === '' || written.startsWith('#')) return undefined;
  const readmits = written.startsWith('!');
  const foldersOnly = written.endsWith('/');
  const glob = written.slice(readmits ? 1 : 0, foldersOnly ? -1 : undefined);
  const isAnchored = glob.includes('/');
  const fromRoot = glob.replace(/^\//, '');
  if (fromRoot === '') return { column: 1, reason: 'it names no file' };
  const wandering = fromRoot.split('/').find((name) => ['', '.', '..'].includes(name));
  if (wandering !== undefined) {
    return { column: 1, reason: 'a path is one below this folder, without . and .. in it' };
  }
  const anyDepth = isAnchored ? '' : '**/';
  const compiled = compileGlob(anyDepth + fromRoot, { matchesHidden: true });
  if ('pattern' in compiled) {
    const isName = !/[*?[{\\]/.test(fromRoot);
    return { pattern: compiled.pattern, readmits, isName, foldersOnly };
  }
  const dropped = written.indexOf(fromRoot) - anyDepth.length;
  return { column: Math.max(compiled.offset + dropped, 0) + 1, reason: compiled.reason };
}

/** Versions, which are no part of the suite and can be large. */
const versionFolders = new Set(['.git', '.hg', '.svn', '.jj']);

/** Where keys, passwords and tokens are kept. */
const secretNames =
  /^(\.env(\..*)?|\.envrc|\.npmrc|\.netrc|_netrc|\.pypirc|\.pgpass|\.git-credentials|\.ssh|\.gnupg|\.aws|\.azure|\.kube|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|.*\.(p12|pfx|jks|keystore|kdbx))$/i;

/** Results under their default name, locks, and what a killed check left. */
const ownNames =
  /^(proctor-.*-out\.jsonl?|proctor-proxy-.*\.jsonl|.*\.jsonl\.lock(\..*)?|.*\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.tmp)$/;

/** In the middle of a text, as in a manual, a key is an example. A certificate may stand before it. */
const keyFileStart = /^(-----BEGIN |Bag Attributes|PuTTY-User-Key-File-)/;
const privateKey = /^(-----BEGIN ([A-Z0-9]+ )*PRIVATE KEY|PuTTY-User-Key-File-)/m;
const ownSchema = /"mcp-proctor\/(results|journal)\/v/;

/** Bytes of a file that show what it is. */
const headBytes = 64 * 1024;
const ownHeadBytes = 1024;

/** Why no file or folder of this name travels. */
export function reasonByName(name: string, siblings: ReadonlySet<string>): string | undefined {
  if (versionFolders.has(name)) return 'it belongs to version control';
  if (secretNames.test(name)) return 'a file of that name holds secrets';
  if (ownNames.test(name)) return 'it is from an earlier check';
  const stem = /^(.+)\.files$/.exec(name)?.[1];
  if (stem !== undefined && siblings.has(`${stem}.jsonl`)) {
    return 'it has outputs of an earlier check';
  }
  return undefined;
}

/** Why a file does not travel that begins like this. Results can have any name. */
export function reasonByContent(head: Buffer): string | undefined {
  const text = head.toString('latin1', 0, headBytes);
  if (keyFileStart.test(text) && privateKey.test(text)) return 'it holds a private key';
  const isOwn = text.startsWith('{') && ownSchema.test(text.slice(0, ownHeadBytes));
  return isOwn ? 'it is the record of an earlier check' : undefined;
}
