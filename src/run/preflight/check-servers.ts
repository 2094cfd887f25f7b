import { parseDuration } from '../../base/duration.js';
import { errorMessage } from '../../base/errors.js';
import { RawJson } from '../../base/json-text.js';
import { allowsTool, isOnlyInTaskRun, type McpServer } from '../../config/files/mcp-config-file.js';
import type { TaskRunValues } from '../../config/placeholders/environment-variables.js';
import type { EventBody, EventSink } from '../../journal/event.js';
import type { Warning } from '../../journal/mcp-events.js';
import type { ServerChecked } from '../../journal/run-events.js';
import { McpClient } from '../../mcp/mcp-client.js';
import { RecordingProxy } from '../../proxy/recording-proxy.js';

/** Milliseconds for a server to start and say what it offers, unless the MCP config allows more. */
const defaultTimeout = 60_000;
/** Milliseconds that the client waits longer than the proxy, whose error has the end of the server's log. */
const patience = 2_000;

/**
 * A process that is shared with the agent gets to know its client once. So this client is one that most
 * agents could be: some servers offer less to a client that can do nothing, and some agents refuse
 * the answer of a server that was offered a newer version.
 */
export const likeAgents = {
  protocolVersion: '2025-06-18',
  capabilities: { roots: {}, sampling: {}, elicitation: {} },
};

/** A server that is not fit to be used, and why. */
export interface ServerProblem {
  server: string;
  message: string;
  /** The end of its log. */
  details?: string;
}

/** A server with values of a task run that has to be asked after the setup of each task run. */
export interface ServerForLater {
  server: string;
  isForLater: true;
  /** What went wrong without setup; undefined: it was not tried, as it cannot be there yet. */
  problem?: ServerProblem;
}

export type ServerCheck = { server: string; offer: ServerOffer } | ServerProblem | ServerForLater;

/** What a server offers. */
export interface ServerOffer {
  event: ServerChecked;
  tools: string[];
  /** The input schema of each tool. */
  inputSchemas: ReadonlyMap<string, unknown>;
  /** The URIs of the resources that it lists; more may be behind its templates. */
  uris: string[];
  hasResourceTemplates: boolean;
  prompts: string[];
}

interface ServerCheckOptions {
  servers: readonly McpServer[];
  environment: NodeJS.ProcessEnv;
  /** The proxy of the task runs to come: its servers of scope `run` stay. Undefined: all of them leave. */
  proxy?: RecordingProxy | undefined;
  /** What servers are given in place of a task run's own. */
  values: TaskRunValues;
  redact(text: string): string;
  signal: AbortSignal;
  /** Called as each is done. */
  onChecked?(check: ServerCheck): void;
}

/** What servers said, and how long they are still there. */
interface CheckedServers {
  checks: ServerCheck[];
  /** Settles when those that are not needed any more have left. */
  departure: Promise<void>;
}

/** Starts every server, and asks what it offers. */
export async function checkServers(options: ServerCheckOptions): Promise<CheckedServers> {
  const { servers, environment, values, redact, signal, onChecked } = options;
  const warnings = new Warnings(redact);
  const proxy = options.proxy ?? (await RecordingProxy.start({ environment }));
  const proxied = proxy.open(servers, { values, sink: warnings });
  const leave = async () => {
    await proxied.close();
    if (proxy !== options.proxy) await proxy.close();
  };
  try {
    const checks = await Promise.all(
      servers.map(async (server) => {
        const check: ServerCheck = isOnlyInTaskRun(server)
          ? { server: server.name, isForLater: true }
          : await checkServer(server, proxied.harnessRoute(server.name).url, signal, warnings);
        onChecked?.(check);
        return check;
      }),
    );
    return { checks, departure: leave() };
  } catch (error) {
    await leave();
    throw error;
  }
}

async function checkServer(
  server: McpServer,
  url: string,
  signal: AbortSignal,
  warnings: Warnings,
): Promise<ServerCheck> {
  const started = performance.now();
  const isShared = server.transport === 'stdio' && server.data.scope === 'run';
  let client: McpClient | undefined;
  try {
    client = await McpClient.connect(url, {
      signal,
      timeoutMs: getTimeout(server) + patience,
      capabilities: likeAgents.capabilities,
      // The process stays for agents, which are given what it agreed on here.
      ...(isShared && { protocolVersion: likeAgents.protocolVersion }),
    });
    return { server: server.name, offer: await askOffer(client, server, signal, started) };
  } catch (error) {
    const warning = warnings.of(server.name);
    const message = warning?.message ?? errorMessage(error);
    const details = warning?.details;
    const problem = {
      server: server.name,
      // A server may quote what it was given.
      message: warnings.redact(message),
      ...(details !== undefined && { details }),
    };
    return mayNeedSetup(server, warning)
      ? { server: server.name, isForLater: true, problem }
      : problem;
  } finally {
    await client?.close();
  }
}

/** Asks a server what it offers. `started` is when that began. */
export async function askOffer(
  client: McpClient,
  server: McpServer,
  signal: AbortSignal,
  started: number,
): Promise<ServerOffer> {
  const [tools, resources, resourceTemplates, prompts] = await Promise.all([
    client.listTools({ signal }),
    client.listResources({ signal }),
    client.listResourceTemplates({ signal }),
    client.listPrompts({ signal }),
  ]);
  const { protocolVersion, serverInfo } = client;
  const names = tools.map(({ name }) => name);
  const event: ServerChecked = {
    type: 'server-checked',
    server: server.name,
    protocolVersion,
    ...(serverInfo && { serverInfo }),
    tools: toRawJson(tools),
    resources: toRawJson(resources),
    resourceTemplates: toRawJson(resourceTemplates),
    prompts: toRawJson(prompts),
    allowedTools: names.filter((name) => allowsTool(server, name)),
    durationMs: Math.round(performance.now() - started),
  };
  return {
    event,
    tools: names,
    inputSchemas: new Map(tools.map(({ name, inputSchema }) => [name, inputSchema])),
    uris: listTexts(resources, 'uri'),
    hasResourceTemplates: resourceTemplates.length > 0,
    prompts: listTexts(prompts, 'name'),
  };
}

/**
 * Whether a server that cannot be used may be fine once the setup of a task has run: a repository
 * that it serves may have to be made first. A program that is missing stays missing.
 */
function mayNeedSetup({ perTaskRun }: McpServer, warning: ServerWarning | undefined): boolean {
  if (!perTaskRun) return false;
  const { keys } = perTaskRun;
  return warning?.code !== 'server-failed-to-start' || keys.has('command') || keys.has('cwd');
}

function getTimeout({ data: { startupTimeout } }: McpServer): number {
  const parsed = startupTimeout === undefined ? undefined : parseDuration(startupTimeout);
  return parsed?.ok ? parsed.milliseconds : defaultTimeout;
}

/** Throws for what is nested too deeply: no agent could use it either. */
function toRawJson(values: readonly object[]): RawJson {
  try {
    return new RawJson(JSON.stringify(values));
  } catch {
    throw new Error('what it offers is nested too deeply to be written down');
  }
}

function listTexts(values: readonly object[], key: string): string[] {
  return values.flatMap((value) => {
    const text = (value as Record<string, unknown>)[key];
    return typeof text === 'string' ? [text] : [];
  });
}

type ServerWarning = Pick<Warning, 'code' | 'message' | 'details'>;

/** Nothing of this is recorded, but the proxy knows best why a server did not answer. */
class Warnings implements EventSink {
  readonly redact: (text: string) => string;
  readonly #byServer = new Map<string, ServerWarning>();

  constructor(redact: (text: string) => string) {
    this.redact = redact;
  }

  write(event: EventBody): number {
    if (event.type === 'warning' && event.server !== undefined) {
      if (!this.#byServer.has(event.server)) this.#byServer.set(event.server, event);
    }
    return 0;
  }

  pressure(): undefined {
    return undefined;
  }

  of(server: string): ServerWarning | undefined {
    return this.#byServer.get(server);
  }
}

/** The last lines of a program's log that say something, on one line. */
export function summarizeLog(log: string | undefined): string | undefined {
  const lines = (log ?? '').replaceAll('\r', '').replace(propertiesOfError, '').split('\n');
  const meaningful = lines.filter((line) => !saysNothing.test(line)).map((line) => line.trim());
  return meaningful.slice(-3).join(' | ') || undefined;
}

/** What Node.js lists after the stack of an error, with the last line of the stack. */
const propertiesOfError = /^[ \t]+at [^\n]* \{\n(?:[ \t][^\n]*\n)*\}$/gm;

/** Empty, a place in a stack, the mark under a column, or the version of Node.js. */
const saysNothing = /^(?:\s+at .*|\s*\^*\s*|Node\.js v\d.*)$/;
