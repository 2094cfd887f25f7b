import type { TaskRunSurroundings } from './task-run/task-run-surroundings.js';
import type { VariantSetup } from './variant-setup.js';

/** By the name of the variant; undefined where there is no matrix. */
export type SurroundingsOf = (variant: string | undefined) => TaskRunSurroundings | undefined;

type OfVariant = 'servers' | 'allowedTools' | 'agent' | 'skillTool' | 'skills';

/** What surrounds the task runs of each variant, with what is common to all. */
export function surroundingsOf(
  setups: readonly VariantSetup[],
  common: Omit<TaskRunSurroundings, OfVariant>,
): SurroundingsOf {
  const all = new Map(
    setups.map(({ variant, servers, offers, agent, skillTool, skills }) => {
      const allowedTools = new Map(
        offers.map(({ event }) => [event.server, event.allowedTools] as const),
      );
      const own = { servers, allowedTools, ...(agent && { agent }), skillTool };
      return [variant?.name, { ...common, ...own, ...(skills && { skills }) }] as const;
    }),
  );
  return (variant) => all.get(variant);
}
