import { RawJson } from '../src/base/json-text.js';
import { renderCall, renderCallStatistics } from '../src/cli/render-call.js';
import { styleFor } from '../src/cli/terminal/output.js';
import type { McpCall } from '../src/journal/mcp-events.js';
import { CallStatisticsFold } from '../src/results/call-statistics.js';
import { terminalPicture } from './terminal-picture.js';

/** Calls as an agent makes them: a live recording would look different each time. */
const sample: Partial<McpCall>[] = [
  { name: 'search_nodes', durationMs: 3.4, tokens: { args: 9, result: 12 } },
  { name: 'create_entities', durationMs: 6.1, tokens: { args: 61, result: 66 } },
  {
    name: 'create_relations',
    durationMs: 2.2,
    tokens: { args: 30, result: 24 },
    isError: true,
    result: new RawJson(
      '{"content":[{"type":"text","text":"Input validation error: relationType is required"}]}',
    ),
  },
  { name: 'create_relations', durationMs: 4.0, tokens: { args: 35, result: 31 } },
  { name: 'delete_entities', durationMs: 0.2, blocked: true, isError: true },
  { name: 'read_graph', durationMs: 2.9, tokens: { args: 1, result: 214 } },
];

/** What `proctor proxy` shows, by the code that shows it. */
export function proxyPicture(): string {
  const output = { write: () => {}, isTerminal: true };
  const style = styleFor(output, { FORCE_COLOR: '1' });
  const statistics = new CallStatisticsFold();
  const lines = sample.map((part, index) => {
    const call: McpCall = {
      type: 'mcp-call',
      server: 'memory',
      call: index + 1,
      kind: 'tool',
      method: 'tools/call',
      isError: false,
      // Local time, so that the picture is the same everywhere.
      startedAt: `2026-11-15T10:15:${30 + 2 * index}.000`,
      durationMs: 0,
      bytes: { request: 0, response: 0 },
      request: 0,
      ...part,
    };
    statistics.add(call);
    return renderCall(call, 'memory'.length, style, String);
  });
  const block =
    '{ "mcpServers": { "memory": { "type": "http", "url": "http://127.0.0.1:36413/..." } } }';
  const note = style('dim', 'Recording 1 server to calls.jsonl; stop with Ctrl-C');
  const summary = renderCallStatistics(statistics.entries, style, String);
  const text = [block, note, ...lines, '^C', summary].join('\n');
  return terminalPicture('proctor proxy --mcp-config-file mcp-config.yaml --out calls.jsonl', text);
}
