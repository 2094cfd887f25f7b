import type { Agent, AgentResult, AgentServer } from '../../agents/agent.js';
import type { AgentStep } from '../../events/agent-step.js';
import type { Failure, PhaseEnded } from '../../events/event.js';
import type { EventStream } from '../event-stream.js';
import type { TimeLimit } from '../time-limit.js';
import { stoppedBy } from './step-phase.js';

/** In characters. The record of the calls has results as a whole. */
const maxText = 256 * 1024;
const maxToolResult = 4 * 1024;
/** An agent that says more than this says it to nobody. */
const maxSteps = 20_000;

interface AgentPhaseOptions {
  taskRun: string;
  agent: Agent;
  prompt: string;
  servers: readonly AgentServer[];
  workdir: string;
  privateFolder: string;
  environment: NodeJS.ProcessEnv;
  events: EventStream;
  limit: TimeLimit;
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
  const record = stepRecord(events, taskRun);
  const result = await agent.run({
    ...task,
    signal: limit.signal,
    report: (step) => {
      record(step);
      onStep(step);
    },
  });
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
    ...(details !== undefined && { details: cut(events, details, maxText) }),
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

/** Writes steps down, without their secrets and cut to a sensible length. */
function stepRecord(events: EventStream, taskRun: string): (step: AgentStep) => void {
  let count = 0;
  return (step) => {
    count += 1;
    if (count > maxSteps) return;
    if (count === maxSteps) {
      const text = 'the agent reports more than this; the rest is left out';
      events.write({ type: 'agent-output', taskRun, kind: 'log', text });
      return;
    }
    if (step.kind === 'tool-call') {
      events.write({ type: 'agent-output', taskRun, ...step });
      return;
    }
    const text = cut(events, step.text, step.kind === 'tool-result' ? maxToolResult : maxText);
    events.write({ type: 'agent-output', taskRun, ...step, text });
  };
}

/** What is redacted only after it was cut may hold half a secret. */
function cut(events: EventStream, text: string, length: number): string {
  if (text.length <= length) return text;
  const redacted = events.redact(text.slice(0, 2 * length));
  return redacted.length <= length ? redacted : `${redacted.slice(0, length)}...`;
}
