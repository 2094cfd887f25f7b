import { readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isDirectory } from '../base/files.js';
import { compareText } from '../base/text.js';
import type { Problems } from '../config/problems/problem.js';
import { displayPath, readKind, readTextFile } from '../config/yaml/data-file.js';
import { parseYaml, toPlainValue } from '../config/yaml/yaml-document.js';

/** Absolute paths of the evals that were named; a directory stands for every eval below it. */
export function findEvals(
  paths: readonly string[],
  problems: Problems,
  maxFolders = 50_000,
): string[] {
  // Not by real path: an eval behind a link resolves its paths from the link's folder.
  const found = new Set<string>();
  for (const path of paths.map((each) => resolve(each))) {
    if (!isDirectory(path)) {
      found.add(path);
      continue;
    }
    const search = new EvalSearch(maxFolders);
    const below = [...search.below(path)].sort(compareText);
    if (search.tooFar) {
      const message = `more than ${maxFolders} folders are below: name one that holds less`;
      problems.aboutFile(displayPath(path), 'no-eval-found', message);
    } else if (below.length === 0) {
      problems.aboutFile(displayPath(path), 'no-eval-found', 'there is no Eval file here or below');
    }
    for (const each of below) found.add(each);
  }
  return [...found];
}

class EvalSearch {
  #folders = 0;
  readonly #maxFolders: number;

  constructor(maxFolders: number) {
    this.#maxFolders = maxFolders;
  }

  /** Whether the search was given up, as for the root of a file system. */
  get tooFar(): boolean {
    return this.#folders > this.#maxFolders;
  }

  *below(directory: string): Generator<string> {
    this.#folders++;
    if (this.tooFar) return;
    for (const entry of readEntries(directory)) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && !entry.name.startsWith('.')) yield* this.below(path);
      } else if (/\.(ya?ml|json)$/i.test(entry.name) && looksLikeEval(path)) {
        yield path;
      }
    }
  }
}

function readEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    // A folder that cannot be read is passed over, as a shell's own search would.
    return [];
  }
}

/** An eval that cannot be read or does not parse must be reported, not passed over. */
function looksLikeEval(path: string): boolean {
  const file = readTextFile(path);
  if (!file.ok) return /eval/i.test(basename(path));
  if (!file.text.includes('Eval')) return false;
  const { documents, faults } = parseYaml(file.text);
  if (faults.length > 0) return /^[\s{]*["']?kind["']?\s*:\s*["']?Eval\b/m.test(file.text);
  return documents.some((document) => readKind(toPlainValue(document).value) === 'Eval');
}
