import type { Agent, AgentResult, AgentServer } from '../../agents/agent.js';
import type { AgentStep } from '../../journal/step-events.js';
import type { Failure, PhaseEnded } from '../../journal/task-run-events.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import type { EventStream } from '../journal/event-stream.js';
import { truncateRedacted } from '../journal/redaction.js';
import { explainStop } from './step-phase.js';
import type { TimeLimit } from './time-limit.js';

/** In characters. */
const maxDetails = 256 * 1024;

interface AgentPhaseOptions {
  taskRun: string;
  agent: Agent;
  /** Name of the task. */
  name: string;
  prompt: string;
  servers: readonly AgentServer[];
  workdir: string;
  privateFolder: string;
  environment: NodeJS.ProcessEnv;
  events: EventStream;
  limit: TimeLimit;
  turns: ModelGate;
  /** Called with each step as the agent reports it. */
  onStep(step: AgentStep): void;
  /** The agent is done: its addresses can go, and its calls come to their end. */
  ended(): Promise<void>;
}

export interface AgentPhaseResult {
  result: AgentResult;
  failure?: Failure;
  /** `seq` of the event that ends the phase. */
  seq: number;
}

/** Gives the prompt to the agent, and records its steps. */
export async function runAgentPhase(options: AgentPhaseOptions): Promise<AgentPhaseResult> {
  const { taskRun, agent, events, limit, onStep, ended, ...task } = options;
  const started = performance.now();
  events.write({ type: 'phase-started', taskRun, phase: 'agent', prompt: task.prompt });
  const record = new StepRecord(events, taskRun);
  let hasEnded = false;
  const result = await agent.run({
    ...task,
    signal: limit.signal,
    report: (step) => {
      // What comes too late would stand behind the end of its phase.
      if (hasEnded) return;
      record.add(step);
      onStep(step);
    },
  });
  hasEnded = true;
  await ended();
  const outcome = decidePhaseOutcome(result, limit);
  const { message, details } = result.failure ?? {};
  const seq = events.write({
    type: 'phase-ended',
    taskRun,
    phase: 'agent',
    outcome,
    durationMs: Math.round(performance.now() - started),
    ...(message !== undefined && { message }),
    ...(details !== undefined && { details: truncateRedacted(events, details, maxDetails) }),
  });
  const failure = describeFailure(result, seq);
  return { result, seq, ...(failure && { failure }) };
}

function decidePhaseOutcome(result: AgentResult, limit: TimeLimit): PhaseEnded['outcome'] {
  if (limit.signal.aborted) return explainStop(limit);
  return result.end === 'finished' ? 'passed' : 'error';
}

function describeFailure(result: AgentResult, evidence: number): Failure | undefined {
  const [unusable] = result.unusableServers ?? [];
  if (unusable) {
    const message = `the agent could not use the server ${unusable.name}: ${unusable.status}`;
    return { category: 'server-failed', message, evidence };
  }
  if (result.end === 'finished') return undefined;
  const { code = 'failed', message = 'the agent was stopped' } = result.failure ?? {};
  const category = code === 'not-started' ? 'agent-not-started' : 'agent-failed';
  return { category, message, evidence };
}

/** In characters. The record of the calls has arguments and results as a whole. */
const maxText = 256 * 1024;
const maxToolResult = 4 * 1024;
/** Per task run. Further steps are dropped. */
const maxSteps = 20_000;
const maxTotal = 32 * 1024 * 1024;

/** Writes down what an agent reports, cut to a sensible length. */
export class StepRecord {
  readonly #events: EventStream;
  readonly #taskRun: string;
  #steps = 0;
  #total = 0;
  #isFull = false;

  constructor(events: EventStream, taskRun: string) {
    this.#events = events;
    this.#taskRun = taskRun;
  }

  add(step: AgentStep): void {
    if (this.#isFull) return;
    const kept = this.#shortened(step);
    this.#steps += 1;
    this.#total += lengthOf(kept);
    this.#isFull = this.#steps >= maxSteps || this.#total > maxTotal;
    this.#write(kept);
    if (this.#isFull) {
      this.#write({ kind: 'log', text: 'The agent reports more than this; it is left out.' });
    }
  }

  #shortened(step: AgentStep): AgentStep {
    if (step.kind !== 'tool-call') {
      const length = step.kind === 'tool-result' ? maxToolResult : maxText;
      return { ...step, text: truncateRedacted(this.#events, step.text, length) };
    }
    if ((step.args?.text.length ?? 0) <= maxText) return step;
    const { args: _, ...rest } = step;
    return rest;
  }

  #write(step: AgentStep): void {
    this.#events.write({ type: 'agent-output', taskRun: this.#taskRun, ...step });
  }
}

function lengthOf(step: AgentStep): number {
  return step.kind === 'tool-call' ? (step.args?.text.length ?? 0) : step.text.length;
}
