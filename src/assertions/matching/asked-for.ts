import type { CallKind } from '../../config/files/assertion-items.js';
import type { Assertions } from '../../config/schemas/assertions-schema.js';

/** What an item of an assertion asks for, in words that fit every kind of call. */
export interface AskedFor {
  kind: CallKind;
  /** Empty for skills. */
  server: string;
  /** With neither name nor pattern, any of the server; with both, either. */
  name?: string | undefined;
  pattern?: string | undefined;
  /** The call's arguments must contain these. */
  args?: unknown;
  /** A call that failed does not match. */
  succeeded?: true | undefined;
}

type ItemOf<List extends keyof Assertions> =
  NonNullable<Assertions[List]> extends readonly (infer Item)[] ? Item : never;

export type ToolItem = ItemOf<'toolsUsed'>;
export type ResourceItem = ItemOf<'resourcesRead'>;
export type PromptItem = ItemOf<'promptsUsed'>;
export type SkillItem = ItemOf<'skillsLoaded'>;
export type CallOrderItem = ItemOf<'callOrder'>;

export function toolAskedFor(item: ToolItem): AskedFor {
  const { server, tool, toolPattern, args, argumentsMatch, result } = item;
  return {
    ...{ kind: 'tool', server, name: tool, pattern: toolPattern, args: args ?? argumentsMatch },
    succeeded: result && true,
  };
}

export function resourceAskedFor({ server, uri, uriPattern }: ResourceItem): AskedFor {
  return { kind: 'resource', server, name: uri, pattern: uriPattern };
}

export function promptAskedFor({ server, prompt, promptPattern }: PromptItem): AskedFor {
  return { kind: 'prompt', server, name: prompt, pattern: promptPattern };
}

export function skillAskedFor({ skill, skillPattern }: SkillItem): AskedFor {
  return { kind: 'skill', server: '', name: skill, pattern: skillPattern };
}

export function callOrderAskedFor(item: CallOrderItem): AskedFor {
  const { type, server, name, toolPattern, uriPattern, promptPattern, result } = item;
  const pattern = { tool: toolPattern, resource: uriPattern, prompt: promptPattern }[type];
  return { kind: type, server, name, pattern, succeeded: result && true };
}
