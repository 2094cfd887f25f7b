import type { JudgeCase } from '../../config/judge-cases-file.js';
import type { AgentIdentity } from '../../journal/run-events.js';
import type { Judgement } from '../../journal/step-events.js';
import type { MissedThreshold } from './missed-thresholds.js';

/** A case, and what the judge said of it. */
export interface JudgedCase {
  case: JudgeCase;
  judgement: Judgement;
}

/** Everything that is told of a judge. */
export interface JudgeMeasurement {
  judge: AgentIdentity;
  /** As it was named. */
  file: string;
  votes: number;
  /** How many cases the file has. */
  planned: number;
  /** In the order of the file; those that were not asked any more are missing. */
  cases: JudgedCase[];
  missed: MissedThreshold[];
}
