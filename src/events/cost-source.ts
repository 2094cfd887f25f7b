/**
 * How a cost came about: the agent `reported` it, or it was `priced`, which is computed from tokens and
 * the price of the model. A sum of both is `mixed`.
 */
export const costSources = ['reported', 'priced', 'mixed'] as const;
export type CostSource = (typeof costSources)[number];

interface Cost {
  cost?: number | undefined;
  /** None where there is a cost: of a time when all were reported. */
  costSource?: CostSource | undefined;
}

/** How the sum of two costs came about. */
export function sumOfSources(left: Cost, right: Cost): CostSource | undefined {
  const [one, other] = [sourceOf(left), sourceOf(right)];
  if (one === undefined || other === undefined) return one ?? other;
  return one === other ? one : 'mixed';
}

function sourceOf({ cost, costSource = 'reported' }: Cost): CostSource | undefined {
  return cost === undefined ? undefined : costSource;
}
