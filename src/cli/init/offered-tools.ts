import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readMcpConfigFile } from '../../config/mcp-config-file.js';
import { Problems } from '../../config/problem.js';
import { Redactor } from '../../config/redactor.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import { secretsOf } from '../../config/secrets-of.js';
import type { McpTool } from '../../mcp/mcp-client.js';
import { checkServers, summarizeLog } from '../../run/preflight/check-servers.js';

import { makeTaskRunValues } from '../../run/workspace.js';
import { UsageError } from '../exit-codes.js';
import type { CommandIo } from '../io.js';

/** What a server says of itself. */
export interface OfferedTools {
  name: string | undefined;
  tools: number;
  /** Those of them in whose names and schemas is no secret. */
  publicTools: McpTool[];
  resources: number;
  prompts: number;
}

/** Starts or calls a server and asks what it offers. Throws UsageError if it does not answer. */
export async function offeredTools(
  data: McpServerData,
  io: CommandIo,
  signal: AbortSignal,
): Promise<OfferedTools> {
  const workdir = await mkdtemp(join(tmpdir(), 'proctor-init-'));
  try {
    const environment = { ...io.environment };
    const config = await expanded(data, workdir, environment);
    const redactor = new Redactor(secretsOf({ mcpConfigs: [config] }, environment));
    const redact = (text: string) => redactor.text(text);
    const { servers } = config;
    const values = await makeTaskRunValues(workdir);
    const asked = { servers, environment, values, redact, signal };
    const { checks, left } = await checkServers(asked);
    await left;
    const [check] = checks;
    if (!check || !('offer' in check)) {
      const problem = check && 'isForLater' in check ? check.problem : check;
      const message = problem?.message ?? 'its address is only known in a task run';
      const why = message.replaceAll(`the server "${onlyServer}"`, 'it');
      throw new UsageError(`the server is not ready: ${why}`, summarizeLog(problem?.details));
    }
    const { event, prompts } = check.offer;
    const listed = [event.resources, event.resourceTemplates].map(({ value }) => value);
    const name = event.serverInfo?.name;
    const tools = event.tools.value as McpTool[];
    return {
      name: name !== undefined && redact(name) === name ? name : undefined,
      tools: tools.length,
      publicTools: tools.flatMap((tool) => withoutSecrets(tool, redactor)),
      resources: listed.flat().length,
      prompts: prompts.length,
    };
  } finally {
    await rm(workdir, { recursive: true, force: true });
  }
}

/** In a config that nobody sees. */
const onlyServer = 'server';

/**
 * What servers say of their tools goes into files that people commit. A description with a secret is left
 * out, and a tool cannot be called without its name and schema.
 */
function withoutSecrets({ description, ...tool }: McpTool, redactor: Redactor): McpTool[] {
  const json = JSON.stringify(tool);
  if (redactor.foreignJson(json) !== json) return [];
  const isSafe = description !== undefined && redactor.text(description) === description;
  return [isSafe ? { ...tool, description } : tool];
}

/** As a check would read it: variables have their values. */
async function expanded(
  data: McpServerData,
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
) {
  const path = join(folder, 'mcp-config.json');
  const server = { ...data, ...(data.command !== undefined && { cwd: process.cwd() }) };
  await writeFile(path, JSON.stringify({ mcpServers: { [onlyServer]: server } }), { mode: 0o600 });
  const problems = new Problems();
  const config = readMcpConfigFile(path, environment, problems);
  const [problem] = problems.report().problems.filter(({ severity }) => severity === 'error');
  if (config && !problem) return config;
  throw new UsageError(`--server: ${problem?.message ?? 'it is not valid'}`, problem?.hint);
}
