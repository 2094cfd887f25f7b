import type { JSONSchema7 } from '@ai-sdk/provider';
import type { JsonArguments } from '../../mcp/rpc-message.js';

/** What a model may call. */
export interface ModelTool {
  name: string;
  description: string;
  schema: JSONSchema7;
  call(args: ToolArguments, signal: AbortSignal): Promise<ToolOutcome>;
}

export interface ToolArguments {
  /** As the model wrote them. */
  text: JsonArguments;
  value: Readonly<Record<string, unknown>>;
}

export interface ToolOutcome {
  isError: boolean;
  text: string;
  /** The connection to its server failed. */
  isLost?: true;
}
