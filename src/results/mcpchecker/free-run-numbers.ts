interface Taken {
  runs: Set<number>;
  highest: number;
}

/** Task runs of one name that do not tell which run they are are counted on. */
export class FreeRunNumbers {
  readonly #taken = new Map<string, Taken>();

  /** The number itself, unless it is taken. */
  take(task: string, run: number): number {
    const taken = this.#taken.get(task) ?? { runs: new Set(), highest: 0 };
    this.#taken.set(task, taken);
    const free = taken.runs.has(run) ? taken.highest + 1 : run;
    taken.runs.add(free);
    taken.highest = Math.max(taken.highest, free);
    return free;
  }
}
