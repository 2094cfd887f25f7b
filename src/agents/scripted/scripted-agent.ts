import { compilePattern } from '../../config/pattern.js';
import type { Agent, AgentDefinition, AgentResult } from '../agent.js';
import { cutText } from '../cut-text.js';
import { playScript, type Rule } from './play-script.js';

/** How much of a prompt is shown that no rule is for. */
const shownLength = 80;

/** An agent without a model, that does what its rules say. */
export function createAgent({ name, data }: AgentDefinition): Agent {
  const { scripted: rules, metadata } = data;
  if (rules === undefined) throw new Error(`${name} has no script`);
  const version = metadata?.version;
  return {
    identity: { name, type: 'scripted', ...(version !== undefined && { version }) },
    billing: () => ({ by: 'nobody' }),
    prepare: async () => ({ problems: [] }),
    async run(task) {
      const rule = rules.find((each) => isFor(each, task.prompt));
      return rule ? playScript(rule, task) : noRule(task.prompt);
    },
  };
}

function isFor({ when }: Rule, prompt: string): boolean {
  if (when === undefined) return true;
  const compiled = compilePattern(when);
  if (!compiled.ok) throw new Error(`the pattern ${when} was not validated`);
  return compiled.pattern.test(prompt);
}

function noRule(prompt: string): AgentResult {
  const [line = ''] = prompt.trim().split('\n', 1);
  const beginning = cutText(line, shownLength);
  const message = `No rule of the script is for the prompt that begins with "${beginning}".`;
  return { end: 'failed', failure: { code: 'failed', message }, output: '' };
}
