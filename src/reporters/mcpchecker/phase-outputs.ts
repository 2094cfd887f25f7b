import type {
  AgentPhaseRecord,
  AgentStepRecord,
  StepPhaseRecord,
  TaskRunRecord,
} from '../../results/task-run-record.js';

/** The phases of a task run, as mcpchecker has them. */
export function phaseOutputs({ phases, outcome, failure }: TaskRunRecord): object {
  const { setup, agent, verify, cleanup } = phases;
  // Where there is a verdict, setup and agent came to their end.
  const isJudged = outcome === 'passed' || outcome === 'failed';
  const setupFailed = failure?.category === 'setup-failed';
  return {
    ...(setup || setupFailed ? { setupOutput: stepOutput(setup, isJudged || !setupFailed) } : {}),
    ...(agent && { agentOutput: agentOutput(agent, isJudged || agent.outcome === 'passed') }),
    ...(verify && { verifyOutput: stepOutput(verify, verify.outcome === 'passed') }),
    ...(cleanup && { cleanupOutput: stepOutput(cleanup, cleanup.outcome === 'passed') }),
  };
}

function stepOutput(phase: StepPhaseRecord | null, isSuccess: boolean): object {
  const steps = (phase?.steps ?? []).map(({ kind, passed, message, outputs, judgement }) => {
    const said = judgement?.reason ?? (passed ? message : undefined);
    return {
      type: kind,
      success: passed,
      ...(said !== undefined && { message: said }),
      ...(!passed && { error: message ?? 'it failed' }),
      ...(Object.keys(outputs).length > 0 && { outputs }),
    };
  });
  return { Steps: steps, Success: isSuccess, Error: isSuccess ? '' : (phase?.message ?? '') };
}

function agentOutput({ steps, message }: AgentPhaseRecord, isSuccess: boolean): object {
  const outputSteps = outputStepsOf(steps);
  return {
    Steps: outputSteps.map(({ type, content, toolCall }) => ({
      type,
      success: toolCall?.status !== 'failed',
      message: toolCall?.title ?? content ?? '',
    })),
    Success: isSuccess,
    Error: isSuccess ? '' : (message ?? ''),
    agentDetails: {
      toolCalls: outputSteps.flatMap(({ toolCall }) => (toolCall ? [toolCall] : [])),
      outputSteps,
    },
  };
}

interface OutputStep {
  type: 'message' | 'thinking' | 'tool_call';
  content?: string;
  toolCall?: ToolCall;
}

interface ToolCall {
  title: string;
  status: 'completed' | 'failed';
  rawInput?: unknown;
  rawOutput?: string;
}

/** A result belongs to its call; logs it has none. */
function outputStepsOf(steps: readonly AgentStepRecord[]): OutputStep[] {
  const calls = new Map<string, ToolCall>();
  return steps.flatMap((step): OutputStep[] => {
    const { kind, text = '', tool = '', id, args, isError } = step;
    if (kind === 'message' || kind === 'thinking') return [{ type: kind, content: text }];
    if (kind === 'tool-call') {
      const toolCall: ToolCall = { title: tool, status: 'completed' };
      if (args !== undefined) toolCall.rawInput = args;
      if (id !== undefined) calls.set(id, toolCall);
      return [{ type: 'tool_call', toolCall }];
    }
    const call = kind === 'tool-result' && id !== undefined ? calls.get(id) : undefined;
    if (call) {
      call.rawOutput = text;
      if (isError) call.status = 'failed';
    }
    return [];
  });
}
