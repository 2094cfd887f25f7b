import type { PooledResults } from '../../results/pooled-results.js';

/** What the report shows as one. */
export interface NamedResults {
  name: string;
  results: PooledResults;
}
