/** A step as far as it decides a verdict. */
export interface StepDigest {
  /** `script`, `http`, ... */
  type: string;
  /** Of what the step does; of a script in a file, also of the file's content. */
  digest: string;
}

/** The LLM judge as far as it decides a verdict: neither its address nor its key does. */
export interface JudgeDigest {
  /** None: it is not named. */
  model?: string | undefined;
  /** Of its type, model and settings. */
  digest: string;
}

/**
 * What judges a task run, and what shapes it: digests of what was meant, so that a comment or the order
 * of keys changes nothing. Two task runs can be compared where theirs are alike. A part that is missing
 * is not known. Neither the agent nor the servers are in it: these are what gets compared.
 */
export interface Judging {
  /** Of the prompt, with its placeholders as they are written. */
  prompt?: string | undefined;
  /** By name; what stands in several places under one name is one. */
  assertions?: Readonly<Record<string, string>> | undefined;
  setup?: readonly StepDigest[] | undefined;
  verify?: readonly StepDigest[] | undefined;
  /** Null: no step asks one. */
  judge?: JudgeDigest | null | undefined;
  /** The time limit of the task; null: there is none. */
  timeoutMs?: number | null | undefined;
}
