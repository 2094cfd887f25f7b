/**
 * Two-sided level of the total, and of all single tasks together. Only what got worse fires the gate,
 * so that each of the two has half of it for false alarms, and both together 5 %.
 */
export const level = 0.05;

/** Judged runs that each side of a task needs at least, whatever they say. */
export const leastJudged = 4;

/**
 * What up to so many times the runs, or the tasks, would settle is `not enough data`. What needs more
 * is a difference that is hardly there: `no change`.
 */
export const runsWithinReach = 10;
export const tasksWithinReach = 3;
