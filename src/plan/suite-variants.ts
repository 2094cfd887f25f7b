import { getKindFacts } from '../config/agent-kinds.js';
import { type AgentFile, readAgentFile } from '../config/files/agent-file.js';
import type { EvalFile } from '../config/files/eval-file.js';
import {
  listAllowedTools,
  type McpConfig,
  readMcpConfigFile,
} from '../config/files/mcp-config-file.js';
import { readMcpEnvironment } from '../config/files/mcp-environment.js';
import type { Environment } from '../config/placeholders/environment-variables.js';
import type { Problems } from '../config/problems/problem.js';
import type { AgentReference } from '../config/schemas/eval-schema.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { DataPath, SourceFile } from '../config/yaml/source-file.js';
import type { Choice } from './matrix.js';

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
    return file === undefined || getKindFacts(file.data).takesModel === true;
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

/** The servers, as a suite has them. */
export interface SuiteServers {
  /** Undefined if there is none: then skills are all the agent has. */
  mcp?: McpConfig;
  /** Set when the MCP config could not be read, so that nothing is concluded from its absence. */
  mcpUnknown: boolean;
}

/** The MCP configs of an eval, each read once. */
export class SuiteMcpConfigs {
  readonly #file: EvalFile;
  readonly #environment: Environment;
  readonly #problems: Problems;
  /** MCP configs by path; under undefined, the eval's own. */
  readonly #read = new Map<string | undefined, McpConfig | undefined | 'unknown'>();

  constructor(file: EvalFile, environment: Environment, problems: Problems) {
    this.#file = file;
    this.#environment = environment;
    this.#problems = problems;
  }

  of(choice: Choice<string> | undefined): SuiteServers {
    if (!this.#read.has(choice?.value)) {
      this.#read.set(choice?.value, choice ? this.#chosen(choice) : this.#own());
    }
    const mcp = this.#read.get(choice?.value);
    return { ...(typeof mcp === 'object' && { mcp }), mcpUnknown: mcp === 'unknown' };
  }

  #chosen({ value, at }: Choice<string>): McpConfig | 'unknown' {
    const namedBy = at && { file: this.#file.source, path: at };
    return readMcpConfigFile(value, this.#environment, this.#problems, namedBy) ?? 'unknown';
  }

  /** Undefined: the eval needs none, as skills are all the agent has. */
  #own(): McpConfig | undefined | 'unknown' {
    const { source, data } = this.#file;
    const named = data.config.mcpConfigFile;
    if (named !== undefined) {
      const at = ['config', 'mcpConfigFile'];
      return this.#chosen({ written: named, value: resolveFrom(source, named), at });
    }
    const found = readMcpEnvironment(this.#environment);
    if (found && 'config' in found) {
      warnIfNothingAllowed(source, found.config, this.#problems);
      return found.config;
    }
    if (found) {
      const message = `the environment variable ${found.variable} ${found.reason}`;
      this.#problems.atKey(source, ['config'], 'invalid-environment', message);
      return 'unknown';
    }
    if (data.config.skills) return undefined;
    if (source.isFaulty(['config', 'mcpConfigFile']) || source.isFaulty(['config', 'skills'])) {
      return 'unknown';
    }
    const hint = 'add mcpConfigFile, or set MCP_URL or MCP_COMMAND';
    const message = 'mcpConfigFile is required in config';
    this.#problems.atKey(source, ['config'], 'missing-mcp-config', message, hint);
    return 'unknown';
  }
}

function warnIfNothingAllowed(source: SourceFile, config: McpConfig, problems: Problems) {
  for (const { name, data } of config.servers) {
    if (listAllowedTools(data) === undefined) continue;
    const message = `the agent may call no tool of ${name}`;
    const hint = 'set MCP_ENABLE_ALL_TOOLS=true, or use an MCP config file';
    problems.atKey(source, ['config'], 'server-allows-nothing', message, hint);
  }
}
