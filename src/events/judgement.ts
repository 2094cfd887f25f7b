import type { TokenUsage } from './agent-step.js';
import type { CostSource } from './cost-source.js';

/** How an answer is held against a reference. */
export const judgeModes = ['contains', 'exact', 'rubric'] as const;
export type JudgeMode = (typeof judgeModes)[number];

/** Why an answer did not pass, in the judge's own terms. */
export const judgementCategories = [
  'semantic_mismatch',
  'missing_information',
  'contains_extra_info',
  'n/a',
] as const;
export type JudgementCategory = (typeof judgementCategories)[number];

/** What the judge said when it was asked once. */
export interface Vote {
  /** Null: it gave no verdict, as `error` explains. */
  passed: boolean | null;
  reason?: string;
  failureCategory?: JudgementCategory;
  /** Why there is no verdict, of the last attempt. */
  error?: string;
  /** How often it had to be asked, from 1. */
  attempts: number;
}

/** What a judge made of an answer. */
export interface Judgement {
  mode: JudgeMode;
  /** What the answer was held against, with its placeholders replaced. */
  reference: string;
  /** What more than half of the votes say; null: there is no such majority. */
  passed: boolean | null;
  /** Of a vote that says so too; without a verdict: why there is none. */
  reason: string;
  failureCategory: JudgementCategory;
  votes: Vote[];
  /** The model that answered, if that is known. */
  model?: string;
  /** Over all attempts of all votes. */
  usage?: TokenUsage;
  /** In US dollars. */
  cost?: number;
  /** How the cost came about. */
  costSource?: CostSource;
}
