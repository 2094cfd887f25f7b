/** Agents that need no file of their own. `openai-acp` is an old name of `openai-agent`. */
export const builtinAgents = ['claude-code', 'openai-agent', 'llm-agent', 'openai-acp'] as const;

/** Those that have no model of their own. */
export const builtinsThatNeedModel = builtinAgents.filter((name) => name !== 'claude-code');

export type BuiltinAgent = (typeof builtinAgents)[number];

/** Both ways in which an eval may name a built-in agent. */
export const inEval = <Name extends BuiltinAgent>(name: Name) => [`builtin.${name}`, name] as const;

/** The built-in agent that an eval names, with or without `builtin.`; undefined: it is none. */
export function builtinNamed(type: string): BuiltinAgent | undefined {
  return builtinAgents.find((name) => inEval(name).some((spelling) => spelling === type));
}
