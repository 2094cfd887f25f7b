import { truncate } from '../../base/text.js';
import { compilePattern } from '../../config/patterns/pattern.js';
import type { Agent, AgentDefinition, AgentResult, AgentTask } from '../agent.js';
import { playScript, type Rule } from './play-script.js';

/** How much of a prompt is shown that no rule is for. */
const shownLength = 80;

/** An agent without a model, that does what its rules say. */
export function createAgent({ name, data, file }: AgentDefinition): Agent {
  const { scripted: rules, metadata } = data;
  if (rules === undefined) throw new Error(`${name} has no script`);
  const version = metadata?.version;
  return {
    identity: { name, type: 'scripted', ...(version !== undefined && { version }) },
    billing: () => ({ by: 'nobody' }),
    prepare: async () => ({ problems: [] }),
    async run(task) {
      const rule = rules.find((each) => isFor(each, task));
      return rule ? playScript(rule, task) : noRule(task, file ?? `the agent ${name}`);
    },
  };
}

function isFor({ task, when }: Rule, { name, prompt }: AgentTask): boolean {
  if (task !== undefined && task !== name) return false;
  if (when === undefined) return true;
  const compiled = compilePattern(when);
  if (!compiled.ok) throw new Error(`the pattern ${when} was not validated`);
  return compiled.pattern.test(prompt);
}

function noRule({ name, prompt }: AgentTask, script: string): AgentResult {
  const [line = ''] = prompt.trim().split('\n', 1);
  const beginning = truncate(line, shownLength);
  const task = name === undefined ? '' : `the task ${name} and `;
  const message = `${script} has no rule for ${task}the prompt "${beginning}".`;
  return { end: 'failed', failure: { code: 'failed', message }, output: '' };
}
