import { type AgentCall, readSkillCall } from '../../assertions/assertion.js';
import type { AgentStep } from '../../journal/step-events.js';

type ToolCall = Extract<AgentStep, { kind: 'tool-call' }>;

/** An agent that has loaded more skills than this has loaded them all. */
const maxWaiting = 1_000;

/** Finds out from an agent's own steps which skills it loads, and which it was refused. */
export class SkillLoads {
  readonly #skillTool: string;
  readonly #see: (call: AgentCall) => void;
  /** Calls of the tool by their ids: whether they went well is said later. */
  readonly #waiting = new Map<string, ToolCall>();

  constructor(skillTool: string, see: (call: AgentCall) => void) {
    this.#skillTool = skillTool;
    this.#see = see;
  }

  step(step: AgentStep): void {
    if (step.kind === 'tool-call' && step.tool === this.#skillTool) {
      const { id } = step;
      if (id === undefined || this.#waiting.size >= maxWaiting) this.#tell(step, false);
      else this.#waiting.set(id, step);
    } else if (step.kind === 'tool-result' && step.id !== undefined) {
      const call = this.#waiting.get(step.id);
      this.#waiting.delete(step.id);
      if (call) this.#tell(call, step.isError);
    }
  }

  /** Some agents never say how a call went: then there is no reason to doubt it. */
  end(): void {
    for (const call of this.#waiting.values()) this.#tell(call, false);
    this.#waiting.clear();
  }

  #tell({ tool, args }: ToolCall, failed: boolean): void {
    const call = readSkillCall({ tool, args: args?.value, failed }, this.#skillTool);
    if (call) this.#see(call);
  }
}
