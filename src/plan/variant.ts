/** One combination of a matrix: who does the tasks, and with what. */
export interface Variant {
  /** Tells it from the others: `claude-code + mcp-next`. */
  name: string;
  /** Its MCP config, where the matrix has several: as it is written there. */
  mcpConfigFile?: string;
}
