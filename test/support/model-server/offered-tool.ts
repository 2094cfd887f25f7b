import type { OfferedTool } from './model-api.js';
import type { TurnToolCall } from './turn.js';

/** The tool that a script means, among those that a program offers under names of its own. */
export function findTool(offered: OfferedTool[], call: TurnToolCall): OfferedTool {
  if (call.name !== undefined) {
    return offered.find(({ name }) => name === call.name) ?? { name: call.name };
  }
  const names = offered.map(({ name }) => name);
  const wanted = call.match ? call.match(names) : endingWith(names, call.tool ?? '');
  const tool = offered.find(({ name }) => name === wanted);
  if (tool) return tool;
  throw new Error(`the script wants ${call.tool ?? 'a tool'}, offered are: ${names.join(', ')}`);
}

/** Programs spell `get-sum` as `get_sum` too. */
function endingWith(names: string[], tool: string): string | undefined {
  const spelled = (name: string) => name.replace(/[^a-zA-Z0-9]/g, '_');
  const fitting = names.filter((name) => `_${spelled(name)}`.endsWith(`_${spelled(tool)}`));
  return fitting.sort((left, right) => left.length - right.length)[0];
}
