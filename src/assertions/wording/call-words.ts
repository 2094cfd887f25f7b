import type { CallKind } from '../../config/files/assertion-items.js';

/** How one speaks about calls of each kind. */
export const callWords = {
  tool: { done: 'called', none: 'made no tool call', one: 'a tool' },
  resource: { done: 'read', none: 'read no resource', one: 'a resource' },
  prompt: { done: 'used', none: 'used no prompt', one: 'a prompt' },
  skill: { done: 'loaded', none: 'loaded no skill', one: 'a skill' },
} as const satisfies Record<CallKind, { done: string; none: string; one: string }>;
