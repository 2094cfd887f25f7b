import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isDirectory } from '../base/files.js';
import type { EvalFile } from './eval-file.js';
import { compareText, type Problems } from './problem.js';
import { type NamedBy, readSource, resolveFrom, shownName } from './read-data-file.js';
import { listSkillFiles, SkillBudget, type SkillFile, SkillFlaw } from './skill-files.js';
import { readSkillFrontMatter } from './skill-front-matter.js';

/** A skill that the agent is given. */
export interface Skill {
  /** That of its folder, also where it is mounted. */
  name: string;
  /** The one in its SKILL.md: agents differ in which of the two they know it by. */
  ownName?: string;
  /** Absolute. */
  folder: string;
  files: readonly SkillFile[];
}

const mainFile = 'SKILL.md';

/** The skills of an eval; undefined if it names no sources, or one of them has a problem. */
export function readSkills({ source, data }: EvalFile, problems: Problems): Skill[] | undefined {
  const { sources } = data.config.skills ?? {};
  if (!sources) return undefined;
  const budget = new SkillBudget();
  const skills = new Map<string, Skill>();
  let isComplete = !source.isFaulty(['config', 'skills']);
  for (const [index, { path }] of sources.entries()) {
    const namedBy = { file: source, path: ['config', 'skills', 'sources', index, 'path'] };
    if (source.isFaulty(namedBy.path)) continue;
    const found = skillsIn(resolveFrom(source, path), namedBy, budget, problems);
    for (const skill of found) {
      const other = skills.get(skill.name);
      if (other) {
        const message = `two skills have the name ${skill.name}`;
        const hint = `the other one is ${shownName(other.folder)}`;
        problems.atValue(source, namedBy.path, 'duplicate-name', message, hint);
      }
      skills.set(skill.name, skill);
    }
    isComplete &&= found.length > 0;
  }
  return isComplete ? [...skills.values()] : undefined;
}

/** Nothing if there is a problem. */
function skillsIn(
  source: string,
  namedBy: NamedBy,
  budget: SkillBudget,
  problems: Problems,
): Skill[] {
  const { file, path } = namedBy;
  if (!isDirectory(source)) {
    problems.atValue(file, path, 'file-not-found', `${shownName(source)} is no folder`);
    return [];
  }
  try {
    const folders = skillFolders(source);
    if (folders.length === 0) {
      const message = `neither ${shownName(source)} nor a folder in it has a ${mainFile}`;
      problems.atValue(file, path, 'no-skill', message);
    }
    return folders.map((folder) => {
      const files = listSkillFiles(folder, source, budget);
      const ownName = checkMainFile(join(folder, mainFile), namedBy, problems);
      return { name: basename(folder), folder, files, ...(ownName !== undefined && { ownName }) };
    });
  } catch (error) {
    if (!(error instanceof SkillFlaw)) throw error;
    problems.atValue(file, path, 'unfit-skill', `${shownName(source)}: ${error.message}`);
    return [];
  }
}

/** A folder with the file at its top is one skill, whatever is below. */
function skillFolders(source: string): string[] {
  if (existsSync(join(source, mainFile))) return [source];
  let names: string[];
  try {
    names = readdirSync(source).sort(compareText);
  } catch {
    throw new SkillFlaw('the folder cannot be read');
  }
  const folders = names.map((name) => join(source, name));
  return folders.filter((folder) => existsSync(join(folder, mainFile)));
}

/** Tells the name that the file gives. */
function checkMainFile(path: string, namedBy: NamedBy, problems: Problems): string | undefined {
  const file = readSource(path, problems, namedBy);
  if (!file) return undefined;
  const { name, flaws } = readSkillFrontMatter(file.text);
  const firstLine = { offset: 0, length: file.text.search(/[\r\n]|$/) };
  const hint = 'by its name and description agents know when to load it';
  for (const flaw of flaws) {
    problems.atPart(file, undefined, firstLine, 'incomplete-skill', flaw, hint);
  }
  return name;
}
