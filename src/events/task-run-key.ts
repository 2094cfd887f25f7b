/** Names a task run whatever attempt it is; two variants of a matrix do the same runs of a task. */
export function taskRunKey({ task, run, variant }: TaskRunNumber): string {
  return JSON.stringify(variant == null ? [task, run] : [task, run, variant]);
}

/** The task run that a key names. */
export function taskRunOfKey(key: string): TaskRunNumber {
  const [task, run, variant] = JSON.parse(key) as [string, number, string?];
  return { task, run, variant };
}

export interface TaskRunNumber {
  task: string;
  run: number;
  /** None: there is no matrix. */
  variant?: string | null | undefined;
}

/** A task in words: of a matrix, with the variant that does it. */
export function taskInWords({ task, variant }: Pick<TaskRunNumber, 'task' | 'variant'>): string {
  return variant == null ? task : `${task} [${variant}]`;
}
