import type { TestContext } from 'vitest';
import { onLoneTestFinished } from '../../testing/test-end.js';
import { ModelServer } from '../support/model-server/model-server.js';
import type { ModelRequest, Script, Turn } from '../support/model-server/turn.js';
import { usageOfRequest } from './real-agents.js';

interface ToolCall {
  server: string;
  tool: string;
  args?: object;
}

/** What the model does when it is asked for these words. */
const toolCalls: Record<string, readonly ToolCall[]> = {
  'Add 2 and 3': [
    { server: 'local', tool: 'get-sum', args: { a: 2, b: 3 } },
    { server: 'remote', tool: 'echo', args: { message: 'hello' } },
  ],
  'Add 4 and 5': [{ server: 'local', tool: 'get-sum', args: { a: 4, b: 5 } }],
  'Show the environment': [{ server: 'local', tool: 'get-env' }],
  'Stop the server': [{ server: 'local', tool: 'exit' }],
  'Repeat hello': [{ server: 'local', tool: 'echo', args: { text: 'hello' } }],
};

/** A model that goes by the task, and whose last words are what the tools said. */
export function startModel(): Promise<ModelServer> {
  return start(nextTurn);
}

/** A model that never answers. */
export function startSilentModel(
  onTestFinished: TestContext['onTestFinished'],
): Promise<ModelServer> {
  return start(() => ({ hang: true }), onTestFinished);
}

async function start(script: Script, onTestFinished = onLoneTestFinished): Promise<ModelServer> {
  const model = await ModelServer.start(script);
  onTestFinished(() => model.close());
  return model;
}

function nextTurn({ messages, tools, toolResults }: ModelRequest): Turn | undefined {
  if (tools.length === 0) return undefined;
  const asked = messages.filter(({ role }) => role === 'user').map(({ text }) => text);
  const words = Object.keys(toolCalls).find((key) => asked.join('\n').includes(key)) ?? '';
  const next = toolCalls[words]?.[toolResults.length];
  // A server that is not there offers no tools.
  if (!next || !nameOf(next, namesOf(tools))) {
    const said = toolResults.map(({ text }) => text).join('\n');
    return { text: `The tools said: ${said}`, usage: usageOfRequest };
  }
  const { args = {} } = next;
  return {
    toolCalls: [{ match: (names) => nameOf(next, names), args }],
    usage: usageOfRequest,
  };
}

function namesOf(tools: ModelRequest['tools']): string[] {
  return tools.map(({ name }) => name);
}

/** Each program has its own way to make one name of two. */
function nameOf({ server, tool }: ToolCall, names: readonly string[]): string | undefined {
  const spelled = (name: string) => name.replace(/[^a-zA-Z0-9]+/g, '_');
  return names.find((name) => `_${spelled(name)}`.endsWith(`_${server}_${spelled(tool)}`));
}
