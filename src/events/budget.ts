export const budgetKinds = ['cost', 'tokens', 'duration'] as const;
export type BudgetKind = (typeof budgetKinds)[number];

/** How far a budget of a whole check is spent: in US dollars, tokens or milliseconds. */
export interface SpentBudget {
  kind: BudgetKind;
  limit: number;
  /** More than the limit, where task runs that were under way came to their end. */
  spent: number;
}
