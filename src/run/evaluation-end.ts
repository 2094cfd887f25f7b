import type { SpentBudget } from '../journal/run-events.js';

export interface EvaluationEnd {
  interrupted: boolean;
  bailed: boolean;
  /** The budget that left some task runs out. */
  budget?: SpentBudget;
  /** The journal or working directories could not be written any more: everything was stopped. */
  failure?: Error;
}
