/** What every model API takes as the name of a tool. */
const maxLength = 64;
const validName = /^[a-zA-Z0-9_-]{1,64}$/;

interface ServerTool {
  server: string;
  name: string;
}

/**
 * Names for the tools of several servers, in their order: the tool's own, if it is valid and no
 * other's, else with the server before it. None occurs twice.
 */
export function nameTools(tools: readonly ServerTool[]): string[] {
  const counts = new Map<string, number>();
  for (const { name } of tools) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isFree = ({ name }: ServerTool) => counts.get(name) === 1 && validName.test(name);
  const taken = new Set(tools.filter(isFree).map(({ name }) => name));
  return tools.map((tool) => {
    if (isFree(tool)) return tool.name;
    const name = firstFree(`${tool.server}__${tool.name}`, taken);
    taken.add(name);
    return name;
  });
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  const valid = wanted.replace(/[^a-zA-Z0-9_-]/g, '_');
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : `_${number}`;
    const name = `${valid.slice(0, maxLength - suffix.length)}${suffix}`;
    if (!taken.has(name)) return name;
  }
}
