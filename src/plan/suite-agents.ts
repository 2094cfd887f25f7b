import { type AgentFile, readAgentFile } from '../config/files/agent-file.js';
import type { EvalFile } from '../config/files/eval-file.js';
import type { Problems } from '../config/problems/problem.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { DataPath } from '../config/yaml/source-file.js';
import type { Choice } from './combination.js';

/** Which agent it is, as a suite has it. */
export interface SuiteAgent {
  /** Undefined if that has a problem. */
  agent?: AgentReference;
  agentFile?: AgentFile;
  /** Where the matrix or the command line has chosen it. */
  chosenAgent?: Choice<AgentReference>;
}

interface PlacedReference {
  reference: AgentReference;
  /** Where the eval names the file; none: the command line does. */
  pathKey?: DataPath | undefined;
}

/** The agents of an eval, each file read once. */
export class SuiteAgents {
  readonly #file: EvalFile;
  readonly #problems: Problems;
  readonly #files = new Map<string, AgentFile | undefined>();

  constructor(file: EvalFile, problems: Problems) {
    this.#file = file;
    this.#problems = problems;
  }

  /** The one that was chosen, or the eval's own. */
  of(choice: Choice<AgentReference> | undefined, model: string | undefined): SuiteAgent {
    const placed = this.#placed(choice);
    if (!placed) return {};
    const { reference } = placed;
    const agentFile = this.#read(placed);
    const agent = { ...reference, ...(model !== undefined && { model }) };
    return { agent, ...(agentFile && { agentFile }), ...(choice && { chosenAgent: choice }) };
  }

  /** A command, an ACP agent or a script brings its own. */
  takesModel(choice: Choice<AgentReference> | undefined): boolean {
    const placed = this.#placed(choice);
    if (placed?.reference.type !== 'file') return true;
    const file = this.#read(placed);
    return file === undefined || file.data.builtin !== undefined;
  }

  /** Where `llmJudge.ref` names a file. */
  judgeFile(): AgentFile | undefined {
    const reference = this.#file.data.config.llmJudge?.ref;
    return reference && this.#read({ reference, pathKey: ['config', 'llmJudge', 'ref', 'path'] });
  }

  #placed(choice: Choice<AgentReference> | undefined): PlacedReference | undefined {
    if (choice) return { reference: choice.value, pathKey: choice.at };
    const { agent, agentFile } = this.#file.data.config;
    if (agent) return { reference: agent, pathKey: ['config', 'agent', 'path'] };
    if (agentFile === undefined) return undefined;
    return { reference: { type: 'file', path: agentFile }, pathKey: ['config', 'agentFile'] };
  }

  #read({ reference: { type, path }, pathKey }: PlacedReference): AgentFile | undefined {
    if (type !== 'file' || path === undefined) return undefined;
    const { source } = this.#file;
    const absolute = resolveFrom(source, path);
    if (!this.#files.has(absolute)) {
      const namedBy = pathKey && { file: source, path: pathKey };
      this.#files.set(absolute, readAgentFile(absolute, this.#problems, namedBy));
    }
    return this.#files.get(absolute);
  }
}
