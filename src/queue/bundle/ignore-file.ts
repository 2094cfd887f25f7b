import type { Pattern } from '../../config/patterns/pattern.js';
import { compileGlob } from '../../plan/glob.js';
import { UnusableIgnoreFile } from './bundle-errors.js';

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
    if (flaws.length > 0) throw new UnusableIgnoreFile(path, flaws);
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
