import type { JournalEvent } from '../../journal/event.js';
import type { TaskRunStarted } from '../../journal/task-run-events.js';
import { type CallCounts, countCall, noCalls } from '../task-run/call-counts.js';

/** A task run that had begun and not ended when its process did: what cleaning up after it needs. */
export interface InterruptedTaskRun {
  started: TaskRunStarted;
  startedAt: string;
  calls: CallCounts;
  /** Of its steps, by what later steps refer to them by. */
  steps: {
    type: string;
    id?: string;
    outputs: Readonly<Record<string, string>>;
    truncated?: string[];
  }[];
  prompt?: string;
}

export function begunTaskRun(started: TaskRunStarted & { at: string }): InterruptedTaskRun {
  return { started, startedAt: started.at, calls: noCalls(), steps: [] };
}

/** Takes in one more event of it. */
export function followTaskRun(run: InterruptedTaskRun, event: JournalEvent): void {
  switch (event.type) {
    case 'phase-started':
      if (event.prompt !== undefined) run.prompt = event.prompt;
      break;
    case 'step-ended': {
      const { kind, id, outputs, truncated } = event;
      run.steps.push({
        type: kind,
        outputs,
        ...(id !== undefined && { id }),
        ...(truncated && { truncated }),
      });
      break;
    }
    case 'mcp-call':
      countCall(run.calls, event);
      break;
  }
}
