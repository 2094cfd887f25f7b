import { readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';

interface Script {
  scripted: { when: string; do: unknown[] }[];
}

/** The script of the quickstart, but for one task: it deletes first and corrects the number then. */
export function hastyAgent(scriptFile: string): string {
  const agent: Script = parse(readFileSync(scriptFile, 'utf8'));
  const rule = agent.scripted.find(({ when }) => when.includes('green tea'));
  if (!rule) throw new Error(`${scriptFile} has no rule for green tea`);
  const [find, correct, remove, ...rest] = rule.do;
  rule.do = [find, remove, correct, ...rest];
  return stringify(agent);
}
