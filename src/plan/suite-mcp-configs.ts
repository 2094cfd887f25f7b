import type { EvalFile } from '../config/files/eval-file.js';
import {
  listAllowedTools,
  type McpConfig,
  readMcpConfigFile,
} from '../config/files/mcp-config-file.js';
import { readMcpEnvironment } from '../config/files/mcp-environment.js';
import type { Environment } from '../config/placeholders/environment-variables.js';
import type { Problems } from '../config/problems/problem.js';
import { resolveFrom } from '../config/yaml/data-file.js';
import type { SourceFile } from '../config/yaml/source-file.js';
import type { Choice } from './combination.js';

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
  /** By path; undefined: the eval's own. */
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
