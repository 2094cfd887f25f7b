import { relative } from 'node:path';
import { UsageError } from '../../base/errors.js';
import { isDirectory } from '../../base/files.js';
import { isObject } from '../../base/json.js';
import {
  findReferences,
  findStrings,
  removeDefaults,
  workdirVariable,
} from '../../config/placeholders/environment-variables.js';
import type { McpServerData } from '../../config/schemas/mcp-config-schema.js';
import { holdsRedaction } from '../../config/secrets/redactor.js';
import type { McpTool } from '../../mcp/mcp-client.js';
import type {
  RecordedServer,
  RecordedSession,
  RecordingFile,
} from '../../results/journal/recording-file.js';
import type { CallRecord } from '../../results/task-run-record.js';
import { makeVariableName } from './init-answers.js';
import { type SuiteTask, TaskNames } from './suite-files.js';
import { isDestructive, isRisky } from './tools.js';

/** A recorded session, as far as a task can be made of it. */
export interface ReplayableSession {
  /** Such as `session 1`. */
  name: string;
  /** Successful calls, in the order in which they arrived. */
  calls: CallRecord[];
  /** Calls that are not done again, by why. */
  leftOut: ReadonlyMap<string, number>;
}

/** The sessions in which something went well, and the others. */
export async function readReplayableSessions(
  recording: RecordingFile,
): Promise<{ sessions: ReplayableSession[]; others: string[] }> {
  const found: RecordedSession[] = [];
  for await (const session of recording.sessions({ withoutCallResults: true })) found.push(session);
  const places = new Map(recording.sessionNames.map((name, place) => [name, place]));
  const placeOf = ({ task }: RecordedSession) => places.get(task) ?? 0;
  found.sort((a, b) => placeOf(a) - placeOf(b));
  const all = found.map(({ task, calls }): ReplayableSession => {
    const leftOut = new Map<string, number>();
    const good = calls.filter((call) => {
      const why = findReasonToLeaveOut(call);
      if (why !== undefined) leftOut.set(why, (leftOut.get(why) ?? 0) + 1);
      return why === undefined;
    });
    return { name: task, calls: good, leftOut };
  });
  return {
    sessions: all.filter(({ calls }) => calls.length > 0),
    others: all.filter(({ calls }) => calls.length === 0).map(({ name }) => name),
  };
}

/** A mistake of that day is no part of the task, and says nothing about what is needed for it. */
function findReasonToLeaveOut(call: CallRecord): string | undefined {
  if (call.blocked) return 'blocked';
  if (call.isError) return 'failed';
  if (call.suspectedError !== undefined) return 'looks like an error';
  if (call.cancelled) return 'cancelled';
  if (call.unfinished) return 'without an answer';
  // A script cannot answer questions of the server.
  return call.retries ? 'asked for input' : undefined;
}

/** Makes a task of each session. `prompts` are what users asked, in the same order; '' is to be written. */
export function recordedTasks(
  sessions: readonly ReplayableSession[],
  prompts: readonly string[],
): SuiteTask[] {
  const names = new TaskNames();
  return sessions.map(({ name, calls }, index) => {
    const prompt = prompts[index] ?? '';
    const tools = calls.map((call) => call.name);
    const missing = `The recording does not have what the user asked: write it into \`prompt\`. Until then the suite is not valid.\n`;
    return {
      name: names.make(prompt, tools, name.replace(/[^a-z0-9]+/gi, '-')),
      prompt,
      comment: `${prompt === '' ? missing : ''}Made of ${name} of a recording. The assertions ask for what went well there: take out what another good
way would not need, and add a step to \`verify\` that looks whether it was done.`,
      actions: calls.map(makeAction),
      assertions: makeAssertions(calls),
    };
  });
}

function makeAction({ kind, server, name, args }: CallRecord): object {
  const given = isObject(args) && Object.keys(args).length > 0 ? { args } : {};
  if (kind === 'tool') return { call: { server, tool: name, ...given } };
  if (kind === 'resource') return { read: { server, uri: name } };
  return { getPrompt: { server, prompt: name, ...given } };
}

/** The name of the tool is redacted: no call could ever match it. */
function isUnknown({ server, name }: Pick<CallRecord, 'server' | 'name'>): boolean {
  return holdsRedaction(name) || holdsRedaction(server);
}

function makeAssertions(calls: readonly CallRecord[]): object {
  const first = new Map<string, CallRecord>();
  for (const call of calls) {
    if (isUnknown(call)) continue;
    const key = JSON.stringify([call.kind, call.server, call.name]);
    if (!first.has(key)) first.set(key, call);
  }
  const distinct = [...first.values()];
  const of = (kind: CallRecord['kind']) => distinct.filter((call) => call.kind === kind);
  const order = sortByStart(distinct);
  return {
    ...(of('tool').length > 0 && {
      toolsUsed: of('tool').map(({ server, name }) => ({ server, tool: name })),
    }),
    ...(of('resource').length > 0 && {
      resourcesRead: of('resource').map(({ server, name }) => ({ server, uri: name })),
    }),
    ...(of('prompt').length > 0 && {
      promptsUsed: of('prompt').map(({ server, name }) => ({ server, prompt: name })),
    }),
    ...(order.length > 1 && {
      callOrder: order.map(({ kind, server, name }) => ({ type: kind, server, name })),
    }),
  };
}

/** Calls that began when the one before had ended: those at the same time could come in any order. */
function sortByStart(calls: readonly CallRecord[]): CallRecord[] {
  const order: CallRecord[] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const call of calls) {
    const start = Date.parse(call.startedAt ?? '');
    if (!(start >= end)) continue;
    order.push(call);
    // The clock of the recording has whole milliseconds.
    end = start + Math.floor(call.durationMs ?? 0);
  }
  return order;
}

const redacted = /\[redacted:([^\]]*)\]/g;

/** What the author has to check first, because the script may not do the same as the recording. */
export interface ScriptDoubts {
  /** Calls with arguments that the recording does not have, and the names of the secrets. */
  secrets: string[];
  /** The name of the tool holds a secret, so no assertion can ask for it. */
  unknown: string[];
  /** Calls with texts that a script takes for quotes of its own. */
  quotes: string[];
  /** Tools that may change something. */
  risky: string[];
}

export function describeDoubts(
  sessions: readonly ReplayableSession[],
  { header }: RecordingFile,
): ScriptDoubts {
  const secrets = new Set<string>();
  const unknown = new Set<string>();
  const quotes = new Set<string>();
  const risky = new Set<string>();
  for (const { calls } of sessions) {
    for (const { server, kind, name, args } of calls) {
      const text = `${JSON.stringify(args)} ${kind === 'resource' ? name : ''}`;
      const secretText = `${text} ${server} ${name}`;
      const hidden = [...new Set([...secretText.matchAll(redacted)].map(([, secret]) => secret))];
      const shown = `${server}.${name}`;
      if (isUnknown({ server, name })) unknown.add(`${kind} ${name} of ${server}`);
      if (hidden.length > 0) secrets.add(`${shown} (${hidden.join(', ')})`);
      if (/\{(prompt|results?)([.[][^{}\n]*)?\}/.test(text)) quotes.add(shown);
      if (kind === 'tool' && isRisky(makeTask(header.mcpServers, server, name))) {
        risky.add(shown);
      }
    }
  }
  return { secrets: [...secrets], unknown: [...unknown], quotes: [...quotes], risky: [...risky] };
}

type Servers = RecordingFile['header']['mcpServers'];

function listTools(servers: Servers, server: string): McpTool[] {
  const listed = servers.find(({ name }) => name === server)?.tools ?? [];
  return listed.filter((tool): tool is McpTool => isObject(tool) && typeof tool.name === 'string');
}

function makeTask(servers: Servers, server: string, name: string): McpTool {
  const found = listTools(servers, server).find((tool) => tool.name === name);
  return found ?? ({ name, inputSchema: { type: 'object' } } as McpTool);
}

/** Tools that destroy something by their own account, and that no session called. */
export function listUncalledDestructiveTools(
  sessions: readonly ReplayableSession[],
  { header }: RecordingFile,
): { server: string; tool: string }[] {
  const called = new Set(
    sessions.flatMap(({ calls }) => calls.map(({ server, name }) => `${server}.${name}`)),
  );
  return header.mcpServers.flatMap(({ name: server }) =>
    listTools(header.mcpServers, server)
      .filter((tool) => isDestructive(tool) && !called.has(`${server}.${tool.name}`))
      .filter(({ name }) => !isUnknown({ server, name }))
      .map(({ name }) => ({ server, tool: name })),
  );
}

/** The servers as the recording knows them, the variables to be set, and folders that are not here. */
export function recordedServers(
  { path, servers }: RecordingFile,
  folder: string,
): { servers: Record<string, McpServerData>; variables: string[]; missingFolders: string[] } {
  const variables = new Set<string>();
  const found = servers.map((server): [string, McpServerData] => {
    const data = makeServer(server, folder, variables);
    if (data) {
      for (const { text } of findStrings('${', data, [])) {
        for (const { name, fallback } of findReferences(text)) {
          if (fallback === undefined && name !== workdirVariable) variables.add(name);
        }
      }
      return [server.name, data];
    }
    const message = `${path} does not say how its server ${JSON.stringify(server.name)} is started or reached`;
    const hint = 'give --mcp-config-file, or --server where there is one server';
    throw new UsageError(message, hint);
  });
  const missingFolders = servers.flatMap(({ name, config }) => {
    const cwd = config?.cwd;
    return typeof cwd === 'string' && !isHere(cwd) ? [`${cwd} of ${name}`] : [];
  });
  return { servers: Object.fromEntries(found), variables: [...variables], missingFolders };
}

/** A folder of the task run stays one. */
function resolveCwd(folder: string, cwd: string): string {
  return cwd.includes('${') ? cwd : relative(folder, cwd) || '.';
}

/** A recording may come from another machine. */
function isHere(cwd: string): boolean {
  return cwd.includes('${') || isDirectory(cwd);
}

/** A recording can come from anywhere: only what is of the right type is taken. */
function makeServer(
  { config = {} }: RecordedServer,
  folder: string,
  variables: Set<string>,
): McpServerData | undefined {
  const written = (text: string) =>
    // A default cannot be a reference itself.
    removeDefaults(text, ({ fallback }) => holdsRedaction(fallback)).replace(
      redacted,
      (_, secret: string) => {
        const name = makeVariableName(secret);
        variables.add(name);
        return `\${${name}}`;
      },
    );
  const text = (key: string) =>
    typeof config[key] === 'string' ? written(config[key]) : undefined;
  const list = (key: string) => {
    const values = config[key];
    if (!Array.isArray(values)) return undefined;
    return values.filter((value) => typeof value === 'string').map(written);
  };
  const map = (key: string) => {
    const values = config[key];
    if (!isObject(values)) return undefined;
    const entries = Object.entries(values).filter(([, value]) => typeof value === 'string');
    return Object.fromEntries(entries.map(([name, value]) => [name, written(String(value))]));
  };
  const [command, url, cwd] = [text('command'), text('url'), text('cwd')];
  if ((command === undefined) === (url === undefined)) return undefined;
  const { type, enableAllTools, scope } = config;
  const [args, env, headers, alwaysAllow] = [
    list('args'),
    map('env'),
    map('headers'),
    list('alwaysAllow'),
  ];
  const startupTimeout = text('startupTimeout');
  const isOf = <Name extends string>(value: unknown, names: readonly Name[]): value is Name =>
    names.some((name) => name === value);
  return {
    ...(isOf(type, ['http', 'stdio', 'sse']) && { type }),
    ...(command !== undefined && { command }),
    ...(args && args.length > 0 && { args }),
    ...(cwd !== undefined &&
      command !== undefined &&
      isHere(cwd) && { cwd: resolveCwd(folder, cwd) }),
    ...(url !== undefined && { url }),
    ...(headers && Object.keys(headers).length > 0 && { headers }),
    ...(env && Object.keys(env).length > 0 && { env }),
    ...(alwaysAllow && { alwaysAllow }),
    ...(typeof enableAllTools === 'boolean' && { enableAllTools }),
    ...(isOf(scope, ['task', 'run', 'session']) && { scope }),
    ...(startupTimeout !== undefined && { startupTimeout }),
  };
}
