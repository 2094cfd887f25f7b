import type { ServerUse, ToolUse } from './tool-usage.js';

/** What is added up for a server. */
export class ServerFold {
  readonly name: string;
  mcpConfigFile: string | undefined;
  taskRuns = 0;
  /** The results tell what it lists. */
  listsTools = false;

  constructor(name: string) {
    this.name = name;
  }

  use(tools: readonly ToolUse[]): ServerUse {
    const listed = tools.filter(({ server, offered }) => server === this.name && offered === true);
    return {
      server: this.name,
      ...(this.mcpConfigFile !== undefined && { mcpConfigFile: this.mcpConfigFile }),
      taskRuns: this.taskRuns,
      offered: this.listsTools ? listed.length : null,
    };
  }
}
