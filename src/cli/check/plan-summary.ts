/** What a check is going to do, as far as people are told. */
export interface PlanSummary {
  tasks: readonly TaskSummary[];
  /** Of all tasks together. */
  taskRuns: number;
  /** How many task runs of parallel tasks go on at once. */
  parallel: number;
}

export interface TaskSummary {
  name: string;
  /** Task runs of it that belong to this check: of a shard, maybe not all. */
  runs: number;
  difficulty?: string;
  labels: Readonly<Record<string, string>>;
  /** Runs beside others. */
  parallel: boolean;
}

/** Takes secrets out of a text, before it is cut: half of one would not be recognised. */
export type Redact = (text: string) => string;
