import type { Agent, AgentResult, AgentServer } from '../../agents/agent.js';
import type { AgentStep } from '../../journal/step-events.js';
import type { Failure, PhaseEnded } from '../../journal/task-run-events.js';
import type { ModelGate } from '../../limits/rate-limiter.js';
import type { EventStream } from '../event-stream.js';
import type { TimeLimit } from '../time-limit.js';
import { redactedBeginning } from './redacted-beginning.js';
import { stoppedBy } from './step-phase.js';
import { StepRecord } from './step-record.js';

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
  /** Told each step as the agent reports it. */
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

/** Hands the prompt to the agent, and writes down what it says. */
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
  const outcome = outcomeOf(result, limit);
  const { message, details } = result.failure ?? {};
  const seq = events.write({
    type: 'phase-ended',
    taskRun,
    phase: 'agent',
    outcome,
    durationMs: Math.round(performance.now() - started),
    ...(message !== undefined && { message }),
    ...(details !== undefined && { details: redactedBeginning(events, details, maxDetails) }),
  });
  const failure = failureOf(result, seq);
  return { result, seq, ...(failure && { failure }) };
}

function outcomeOf(result: AgentResult, limit: TimeLimit): PhaseEnded['outcome'] {
  if (limit.signal.aborted) return stoppedBy(limit);
  return result.end === 'finished' ? 'passed' : 'error';
}

function failureOf(result: AgentResult, evidence: number): Failure | undefined {
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
