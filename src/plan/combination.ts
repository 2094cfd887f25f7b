import type { AgentReference } from '../config/schemas/eval-schema.js';
import type { DataPath } from '../config/yaml/source-file.js';
import type { Variant } from './variant.js';

/** One value of a list of the matrix. */
export interface Choice<Value> {
  /** As it is written in the eval, or on the command line. */
  written: string;
  value: Value;
  /** Where the eval names it; undefined: the command line does. */
  at?: DataPath;
}

/** What one variant is made of. Nothing of a kind: what the eval itself says, or the agent. */
export interface Combination {
  /** None: there is no matrix. */
  variant?: Variant;
  agent?: Choice<AgentReference>;
  model?: Choice<string>;
  mcpConfigFile?: Choice<string>;
}
