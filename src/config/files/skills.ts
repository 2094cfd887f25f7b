import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import { isDirectory } from '../../base/files.js';
import { isObject } from '../../base/json.js';
import { compareText } from '../../base/text.js';
import { getBuiltinFacts } from '../agent-kinds.js';
import type { Problems } from '../problems/problem.js';
import type { AgentData } from '../schemas/agent-schema.js';
import { displayPath, type NamedBy, readSource, resolveFrom } from '../yaml/data-file.js';
import { parseYaml, toPlainValue } from '../yaml/yaml-document.js';
import type { EvalFile } from './eval-file.js';

/** A skill that the agent is given. */
export interface Skill {
  /** The name of its folder, also where it is mounted. */
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
    const found = readSkillsIn(resolveFrom(source, path), namedBy, budget, problems);
    for (const skill of found) {
      const other = skills.get(skill.name);
      if (other) {
        const message = `two skills have the name ${skill.name}`;
        const hint = `the other one is ${displayPath(other.folder)}`;
        problems.atValue(source, namedBy.path, 'duplicate-name', message, hint);
      }
      skills.set(skill.name, skill);
    }
    isComplete &&= found.length > 0;
  }
  return isComplete ? [...skills.values()] : undefined;
}

/** The skills of one source; an empty list if there is a problem. */
function readSkillsIn(
  source: string,
  namedBy: NamedBy,
  budget: SkillBudget,
  problems: Problems,
): Skill[] {
  const { file, path } = namedBy;
  if (!isDirectory(source)) {
    problems.atValue(file, path, 'file-not-found', `${displayPath(source)} is not a folder`);
    return [];
  }
  try {
    const folders = listSkillFolders(source);
    if (folders.length === 0) {
      const message = `neither ${displayPath(source)} nor a folder in it has a ${mainFile}`;
      problems.atValue(file, path, 'no-skill', message);
    }
    return folders.map((folder) => {
      const files = listSkillFiles(folder, source, budget);
      const ownName = checkMainFile(join(folder, mainFile), namedBy, problems);
      return { name: basename(folder), folder, files, ...(ownName !== undefined && { ownName }) };
    });
  } catch (error) {
    if (!(error instanceof SkillError)) throw error;
    problems.atValue(file, path, 'unfit-skill', `${displayPath(source)}: ${error.message}`);
    return [];
  }
}

/** A folder with the file at its top is one skill, whatever is below. */
function listSkillFolders(source: string): string[] {
  if (existsSync(join(source, mainFile))) return [source];
  let names: string[];
  try {
    names = readdirSync(source).sort(compareText);
  } catch {
    throw new SkillError('the folder cannot be read');
  }
  const folders = names.map((name) => join(source, name));
  return folders.filter((folder) => existsSync(join(folder, mainFile)));
}

/** Checks a SKILL.md and returns the name that it gives. */
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

/** One file of a skill. */
interface SkillFile {
  /** Within the skill's folder. */
  path: string;
  /** Absolute, and no link. */
  from: string;
}

/** Why a skill cannot be copied, in a sentence. */
class SkillError extends Error {}

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

  /** Throws SkillError when it is used up. Folders count as files. */
  take(bytes: number): void {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > this.#maxFiles) {
      throw new SkillError(`the skills have more than ${this.#maxFiles} files`);
    }
    if (this.#bytes > this.#maxBytes) {
      throw new SkillError(`the skills take more than ${this.#maxBytes / mebibyte} MiB`);
    }
  }
}

/**
 * All files of a skill, sorted. A link is followed where it stays in the source: what else is on the
 * machine is not to be handed to an agent. Throws SkillError.
 */
export function listSkillFiles(folder: string, source: string, budget: SkillBudget): SkillFile[] {
  const root = resolveRealPath(source, source);
  const found: SkillFile[] = [];
  const visit = (path: string, within: string, around: readonly string[]) => {
    const from = resolveRealPath(path, source);
    const name = relative(source, path) || '.';
    if (from !== root && !from.startsWith(root + sep)) {
      throw new SkillError(`${name} is a link that leads out of the source`);
    }
    if (around.includes(from)) throw new SkillError(`${name} is a link to a folder around it`);
    const stats = statSync(from);
    budget.take(stats.isFile() ? stats.size : 0);
    if (stats.isDirectory()) {
      for (const entry of listEntries(from, name)) {
        visit(join(path, entry), join(within, entry), [...around, from]);
      }
    } else if (stats.isFile()) {
      found.push({ path: within, from });
    } else {
      throw new SkillError(`${name} is neither a file nor a folder`);
    }
  };
  visit(folder, '', []);
  return found;
}

function resolveRealPath(path: string, source: string): string {
  try {
    return realpathSync(path);
  } catch {
    throw new SkillError(`${relative(source, path) || '.'} is a link that leads nowhere`);
  }
}

function listEntries(folder: string, name: string): string[] {
  try {
    return readdirSync(folder).sort(compareText);
  } catch {
    throw new SkillError(`the folder ${name} cannot be read`);
  }
}

/** What a SKILL.md says of its skill: agents decide by it whether to load the rest. */
interface SkillFrontMatter {
  name?: string;
  /** Why an agent may not find the skill, or not know when to use it. */
  flaws: string[];
}

const opening = /^---[ \t]*\r?\n/;
const closing = /^---[ \t]*\r?$/m;

export function readSkillFrontMatter(text: string): SkillFrontMatter {
  const start = opening.exec(text)?.[0].length;
  const rest = text.slice(start ?? 0);
  const end = closing.exec(rest)?.index;
  if (start === undefined || end === undefined) {
    return { flaws: ['the skill has no front matter between two lines of ---'] };
  }
  const data = parseFrontMatter(rest.slice(0, end));
  if (data === undefined) return { flaws: ['the front matter of the skill is not a YAML map'] };
  const missing = ['name', 'description'].filter((key) => !isText(data[key]));
  return {
    ...(isText(data.name) && { name: data.name }),
    flaws: missing.map((key) => `the skill has no ${key} in its front matter`),
  };
}

function parseFrontMatter(yaml: string): Record<string, unknown> | undefined {
  const { documents, faults } = parseYaml(yaml);
  const [document, ...others] = documents;
  if (!document || others.length > 0 || faults.length > 0) return undefined;
  const { value, faults: valueFaults } = toPlainValue(document);
  return valueFaults.length === 0 && isObject(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

/** The agent's own tool that loads a skill; most have taken over Claude Code's name for it. */
export function getSkillTool(agent: AgentData | undefined): string {
  return agent?.skills?.toolName ?? 'Skill';
}

/** Where in its working directory an agent looks for skills; undefined if it is not known. */
export function getSkillMountPath(agent: AgentData): string | undefined {
  const { builtin, metadata, skills } = agent;
  const { skillsFolder } = {
    ...getBuiltinFacts(metadata?.name),
    ...getBuiltinFacts(builtin?.type),
  };
  return skills?.mountPath ?? skillsFolder;
}
