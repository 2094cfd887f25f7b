import type { AgentIdentity } from '../journal/run-events.js';
import type { Judgement } from '../journal/step-events.js';
import type { ModelTurns } from '../limits/rate-limiter.js';
import type { JudgeQuestion } from '../steps/step-services.js';

/** Folders for one attempt of an agent that judges. */
export interface JudgeFolders {
  workdir: string;
  privateFolder: string;
  remove(): Promise<void>;
}

/** Says whether an answer is what was asked for. */
export interface Judge {
  readonly identity: AgentIdentity;
  /**
   * Never rejects for what the judge does or fails to do: then the judgement has no verdict. `turns` are
   * those of its model; without them nothing is limited.
   */
  ask(question: JudgeQuestion, signal: AbortSignal, turns?: ModelTurns): Promise<Judgement>;
  close(): Promise<void>;
}
