import type { AgentCall } from '../../assertions/assertion.js';
import type { JournalEvent } from '../../journal/event.js';
import type { Failure, PhaseStarted } from '../../journal/task-run-events.js';
import { addJudgeUsage, type JudgeUsage } from '../../journal/usage.js';
import type { RecordedCalls } from './recorded-calls.js';
import { serverFailure } from './server-failures.js';

/** What the events of a task run tell while it goes on. */
export class Observations {
  /** The first that did the agent harm. */
  serverFailure: Failure | undefined;
  lastPhase: { phase: string; seq: number } | undefined;
  /** What judging took; undefined: nothing was judged. */
  judge: JudgeUsage | undefined;
  /** What happens to a server from then on does the agent no harm. */
  isAgentDone = false;
  /** The one that goes on, or went on last. */
  phase: PhaseStarted['phase'] | undefined;
  readonly #calls: RecordedCalls;
  readonly #onCall: (call: AgentCall) => void;

  constructor(calls: RecordedCalls, onCall: (call: AgentCall) => void) {
    this.#calls = calls;
    this.#onCall = onCall;
  }

  see(event: JournalEvent): void {
    if (event.type === 'mcp-call') {
      const call = this.#calls.add(event);
      if (call) this.#onCall(call);
    } else if (event.type === 'warning' && !this.isAgentDone) {
      this.serverFailure ??= serverFailure(event, event.seq);
    } else if (event.type === 'step-ended' && event.judgement) {
      this.judge ??= {};
      addJudgeUsage(this.judge, event.judgement);
    } else if (event.type === 'phase-started') {
      this.phase = event.phase;
    } else if (event.type === 'phase-ended') {
      this.lastPhase = { phase: event.phase, seq: event.seq };
    }
  }
}
