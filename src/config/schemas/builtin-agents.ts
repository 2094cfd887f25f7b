/** Agents that need no file of their own. `openai-acp` is an old name of `openai-agent`. */
export const builtinAgents = ['claude-code', 'openai-agent', 'llm-agent', 'openai-acp'] as const;

/** Those that have no model of their own. */
export const builtinsThatNeedModel = builtinAgents.filter((name) => name !== 'claude-code');

/** As an eval names them. */
export const inEval = <Name extends string>(name: Name) => `builtin.${name}` as const;
