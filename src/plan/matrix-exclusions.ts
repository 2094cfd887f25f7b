import type { EvalFile } from '../config/files/eval-file.js';
import type { Problems } from '../config/problems/problem.js';
import type { MatrixData } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import { agentReferenceOf } from './agent-reference.js';
import type { Combination } from './combination.js';

type Exclusion = NonNullable<MatrixData['exclude']>[number];

/** What an eval leaves out of its matrix. */
export class Exclusions {
  readonly #file: EvalFile;
  readonly #items: readonly Exclusion[];
  readonly #used = new Set<Exclusion>();

  constructor(file: EvalFile) {
    this.#file = file;
    this.#items = file.data.config.matrix?.exclude ?? [];
  }

  has(combination: Combination): boolean {
    const matching = this.#items.filter((item) => this.#fits(item, combination));
    for (const item of matching) this.#used.add(item);
    return matching.length > 0;
  }

  /** One that fits nothing is a mistake in what it names, and leaves in what was to be left out. */
  reportUnused(problems: Problems): void {
    for (const [index, item] of this.#items.entries()) {
      if (this.#used.has(item)) continue;
      const at = ['config', 'matrix', 'exclude', index];
      const message = isEmpty(item)
        ? 'it names nothing'
        : 'no combination of the matrix is like this';
      const hint = 'name values as the lists have them';
      problems.atKey(this.#file.source, at, 'unused-exclusion', message, hint);
    }
  }

  #fits(item: Exclusion, { agent, model, mcpConfigFile }: Combination): boolean {
    if (isEmpty(item)) return false;
    const pathOf = (text: string) => resolveFrom(this.#file.source, text);
    if (item.agent !== undefined) {
      const { type, path } = agentReferenceOf(item.agent, pathOf);
      if (agent?.value.type !== type || agent.value.path !== path) return false;
    }
    if (item.model !== undefined && item.model !== model?.value) return false;
    return item.mcpConfigFile === undefined || pathOf(item.mcpConfigFile) === mcpConfigFile?.value;
  }
}

function isEmpty(item: Exclusion): boolean {
  return Object.values(item).every((value) => value === undefined);
}
