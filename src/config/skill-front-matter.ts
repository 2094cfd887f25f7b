import { isMap } from './kind.js';
import { parseYaml, plainValue } from './yaml-document.js';

/** What a SKILL.md says of its skill: agents decide by it whether to load the rest. */
export interface SkillFrontMatter {
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
  const data = dataOf(rest.slice(0, end));
  if (data === undefined) return { flaws: ['the front matter of the skill is not a YAML map'] };
  const missing = ['name', 'description'].filter((key) => !isText(data[key]));
  return {
    ...(isText(data.name) && { name: data.name }),
    flaws: missing.map((key) => `the skill has no ${key} in its front matter`),
  };
}

function dataOf(yaml: string): Record<string, unknown> | undefined {
  const { documents, faults } = parseYaml(yaml);
  const [document, ...others] = documents;
  if (!document || others.length > 0 || faults.length > 0) return undefined;
  const { value, faults: valueFaults } = plainValue(document);
  return valueFaults.length === 0 && isMap(value) ? value : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
