import type { ParameterUse, ToolUse } from './tool-usage.js';

/** Parameters of a tool, and values of them, that no call had. */
export interface NeverExercised {
  server: string;
  tool: string;
  parameters: string[];
  /** `name=value`, of parameters that were given. */
  values: string[];
}

/** Only of tools that were used: of the others nothing was exercised. */
export function neverExercised(tools: readonly ToolUse[]): NeverExercised[] {
  return tools.flatMap(({ server, tool, calls, blocked, parameters }) => {
    if (calls === blocked || !parameters) return [];
    const unused = new Set(parameters.filter((each) => each.calls === 0).map(({ name }) => name));
    const found = {
      server,
      tool,
      // What lies within one that was never given goes without saying.
      parameters: [...unused].filter((name) => !ancestorsOf(name).some((each) => unused.has(each))),
      values: parameters.flatMap(({ name, calls: given, values }) =>
        given === 0 ? [] : neverTaken(values).map((value) => `${name}=${value}`),
      ),
    };
    return found.parameters.length + found.values.length > 0 ? [found] : [];
  });
}

function neverTaken(values: ParameterUse['values']): string[] {
  return (values ?? []).flatMap(({ value, calls }) => (calls === 0 ? [value] : []));
}

/** Of `filter.items[].name`: `filter` and `filter.items`. */
function ancestorsOf(name: string): string[] {
  const ends = [...name.matchAll(/(\[\])?\./g)].map(({ index }) => index);
  return ends.map((end) => name.slice(0, end));
}
