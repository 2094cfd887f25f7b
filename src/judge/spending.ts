import type { AgentResult } from '../agents/agent.js';
import type { Judgement } from '../journal/step-events.js';
import { addJudgeUsage, type JudgeUsage } from '../journal/usage.js';

/** What a judgement took, over all attempts. */
export class Spending {
  readonly #usage: JudgeUsage = {};
  #model: string | undefined;

  add({ usage, cost, costSource = 'reported', model }: AgentResult): void {
    addJudgeUsage(this.#usage, {
      ...(usage && { usage }),
      ...(cost !== undefined && { cost, costSource }),
    });
    this.#model ??= model;
  }

  /** As far as the judge told. */
  get told(): Pick<Judgement, 'model' | 'usage' | 'cost' | 'costSource'> {
    return { ...this.#usage, ...(this.#model !== undefined && { model: this.#model }) };
  }
}
