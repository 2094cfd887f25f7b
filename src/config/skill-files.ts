import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { compareText } from './problem.js';

/** One file of a skill. */
export interface SkillFile {
  /** Within the skill's folder. */
  path: string;
  /** Absolute, and no link. */
  from: string;
}

/** Why a skill cannot be copied, in a sentence. */
export class SkillFlaw extends Error {}

const mebibyte = 1024 * 1024;

/** Every task run gets a copy of all skills: what they may take together. */
export class SkillBudget {
  readonly #maxFiles: number;
  readonly #maxBytes: number;
  #files = 0;
  #bytes = 0;

  constructor(maxFiles = 20_000, maxBytes = 200 * mebibyte) {
    this.#maxFiles = maxFiles;
    this.#maxBytes = maxBytes;
  }

  /** Throws SkillFlaw when it is used up. Folders count as files. */
  take(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > this.#maxFiles) {
      throw new SkillFlaw(`the skills have more than ${this.#maxFiles} files`);
    }
    if (this.#bytes > this.#maxBytes) {
      throw new SkillFlaw(`the skills take more than ${this.#maxBytes / mebibyte} MiB`);
    }
  }
}

/**
 * All files of a skill, sorted. A link is followed where it stays in the source: what else is on the
 * machine is not to be handed to an agent. Throws SkillFlaw.
 */
export function listSkillFiles(folder: string, source: string, budget: SkillBudget): SkillFile[] {
  const root = realPathOf(source, source);
  const found: SkillFile[] = [];
  const visit = (path: string, within: string, around: readonly string[]) => {
    const from = realPathOf(path, source);
    const name = relative(source, path) || '.';
    if (from !== root && !from.startsWith(root + sep)) {
      throw new SkillFlaw(`${name} is a link that leads out of the source`);
    }
    if (around.includes(from)) throw new SkillFlaw(`${name} is a link to a folder around it`);
    const stats = statSync(from);
    budget.take(stats.isFile() ? stats.size : 0);
    if (stats.isDirectory()) {
      for (const entry of entriesOf(from, name)) {
        visit(join(path, entry), join(within, entry), [...around, from]);
      }
    } else if (stats.isFile()) {
      found.push({ path: within, from });
    } else {
      throw new SkillFlaw(`${name} is neither a file nor a folder`);
    }
  };
  visit(folder, '', []);
  return found;
}

function realPathOf(path: string, source: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SkillFlaw(`${relative(source, path) || '.'} is a link that leads nowhere`);
  }
}

function entriesOf(folder: string, name: string): string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch {
    throw new SkillFlaw(`the folder ${name} cannot be read`);
  }
}
