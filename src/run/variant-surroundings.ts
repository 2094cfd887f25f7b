import { type TaskRunSurroundings, toolsOf } from './task-run/task-run-surroundings.js';
import type { VariantSetup } from './variant-setup.js';

/** By the name of the variant; undefined where there is no matrix. */
export type SurroundingsOf = (variant: string | undefined) => TaskRunSurroundings | undefined;

type OfVariant =
  | 'servers'
  | 'mcpConfigFile'
  | 'tools'
  | 'lateOffers'
  | 'agent'
  | 'skillTool'
  | 'skills';

/** What surrounds the task runs of each variant, with what is common to all. */
export function surroundingsOf(
  setups: readonly VariantSetup[],
  common: Omit<TaskRunSurroundings, OfVariant>,
): SurroundingsOf {
  const all = new Map(
    setups.map(({ variant, servers, offers, agent, skillTool, skills }) => {
      const tools = new Map(offers.map((offer) => [offer.event.server, toolsOf(offer)] as const));
      const lateOffers = new Set<string>();
      const own = { servers, tools, lateOffers, ...(agent && { agent }), skillTool };
      const { mcpConfigFile } = variant ?? {};
      return [
        variant?.name,
        {
          ...common,
          ...own,
          ...(mcpConfigFile !== undefined && { mcpConfigFile }),
          ...(skills && { skills }),
        },
      ] as const;
    }),
  );
  return (variant) => all.get(variant);
}
