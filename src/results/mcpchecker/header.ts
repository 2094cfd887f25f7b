import * as z from 'zod/mini';
import {
  type AgentRecord,
  makeEmptyHeader,
  type ResultsHeader,
  type ServerRecord,
} from '../results-header.js';

const text = z.nullish(z.string());
const agentSchema = z.nullish(z.object({ type: text, name: text, model: text }));

export const mcpcheckerSummarySchema = z.nullish(
  z.object({
    agent: agentSchema,
    judge: agentSchema,
    mcpServers: z.nullish(z.array(z.object({ name: z.string(), type: text, url: text }))),
  }),
);

type McpcheckerSummary = z.infer<typeof mcpcheckerSummarySchema>;

/** The oldest results have no summary. */
export function buildMcpcheckerHeader(summary?: McpcheckerSummary): ResultsHeader {
  return {
    ...makeEmptyHeader('mcpchecker'),
    agent: readAgent(summary?.agent),
    judge: readAgent(summary?.judge),
    mcpServers: (summary?.mcpServers ?? []).map(readServer),
    // mcpchecker writes results only at the end.
    finished: true,
  };
}

function readAgent(agent: z.infer<typeof agentSchema>): AgentRecord | null {
  if (!agent) return null;
  const { name, type, model } = agent;
  return {
    name: name ?? '',
    type: (type ?? '').replace(/^builtin\./, ''),
    ...(model ? { model } : {}),
  };
}

function readServer({
  name,
  type,
  url,
}: {
  name: string;
  type?: unknown;
  url?: unknown;
}): ServerRecord {
  const known = (['http', 'stdio', 'sse'] as const).find((transport) => transport === type);
  return { name, transport: known ?? (url ? 'http' : 'stdio') };
}
