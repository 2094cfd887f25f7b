import type { AgentIdentity } from '../events/event.js';
import type { Judgement } from '../events/judgement.js';
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
  /** Never rejects for what the judge does or fails to do: then the judgement has no verdict. */
  ask(question: JudgeQuestion, signal: AbortSignal): Promise<Judgement>;
  close(): Promise<void>;
}
