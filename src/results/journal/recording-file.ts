import { open as openFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { asRecord } from '../../base/json.js';
import type { JournalEvent } from '../../journal/event.js';
import {
  type OnLeftOut,
  readEventAt,
  readJournal,
  readPlacedJournal,
} from '../../journal/journal-reader.js';
import { LeftOutList, type LeftOutParts } from '../../journal/left-out.js';
import type { McpCall, Warning } from '../../journal/mcp-events.js';
import type { RunStarted } from '../../journal/run-events.js';
import { noCalls } from '../../journal/task-run-events.js';
import { findDistinctFiles, isJournal } from '../read/open-results.js';
import { countCalls, parseOpenTaskRun } from '../read/task-run-parser.js';
import { type RecordedTaskRun, toRecordedTaskRun } from '../recheck/recorded-task-run.js';
import { MixedInputsError } from '../results-errors.js';
import type { ReadOptions } from '../results-file.js';
import {
  type AgentRecord,
  makeEmptyHeader,
  type ResultsHeader,
  type ServerRecord,
} from '../results-header.js';
import type { TaskRunSoFar } from '../task-run-record.js';
import { isProxyRecording } from './journal-survey.js';
import { type TaskRunEndOrOpen, TaskRunFold } from './task-run-fold.js';

/**
 * What an agent did after it connected to the servers of `proctor proxy`. It has the shape of a task run, so
 * that the same code can show its calls; but there was no task, and there is no outcome: nothing may count
 * it as judged.
 */
export type RecordedSession = TaskRunSoFar & { outcome: null };

/** A server of a recording, with its configuration, which results do not have. */
export type RecordedServer = RunStarted['mcpServers'][number];

/** An opened recording of `proctor proxy`. The file may still grow: it is read up to its current end. */
export interface RecordingFile {
  path: string;
  /** Header of the recording, whose servers have the tools that they listed to agents. */
  header: ResultsHeader;
  servers: RecordedServer[];
  /** The `task` of each session, in the order in which they were opened. */
  sessionNames: string[];
  /** Reads the sessions in the order in which they ended, one in memory at a time. Can be called again. */
  sessions(options?: ReadOptions): AsyncGenerator<RecordedSession>;
  /**
   * Reads the sessions with calls as runs of a task, so that its assertions can be checked on them. The
   * numbers of the runs are those of the sessions.
   */
  readAsRunsOf(task: string): AsyncGenerator<RecordedTaskRun>;
  /** What was left out; it is complete only after the sessions were read to the last one. */
  leftOut(): LeftOutParts;
}

/**
 * Opens files as recordings if they are recordings; undefined if none is one. Throws MixedInputs if only
 * some are, as what was judged and what was not have no numbers in common. Throws what `readJournal`
 * throws, or what the file system says.
 */
export async function openRecordings(
  paths: readonly string[],
): Promise<RecordingFile[] | undefined> {
  const distinct = await findDistinctFiles(paths);
  const recordings: string[] = [];
  const others: string[] = [];
  for (const path of distinct) ((await isRecording(path)) ? recordings : others).push(path);
  const [[recording], [other]] = [recordings, others];
  if (recording === undefined) return undefined;
  if (other !== undefined) throw new MixedInputsError(recording, other);
  const files: RecordingFile[] = [];
  for (const path of recordings) {
    // Sessions of several files must not be taken for one another.
    const prefix = recordings.length > 1 ? `${basename(path)}: ` : '';
    files.push(await openRecording(path, prefix));
  }
  return files;
}

/** Whether a file is a recording, also if its first line was lost. */
async function isRecording(path: string): Promise<boolean> {
  if (!(await isJournal(path))) return false;
  for await (const event of readJournal(path)) {
    if (event.type === 'run-started') return isProxyRecording(event);
    if (isOnlyInCheck(event)) return false;
    if (event.type === 'mcp-message' || event.type === 'mcp-call') return true;
  }
  return false;
}

function isOnlyInCheck(event: JournalEvent): boolean {
  if (event.type === 'server-checked' || event.type === 'run-resumed') return true;
  return 'taskRun' in event && event.taskRun !== undefined;
}

async function openRecording(path: string, prefix: string): Promise<RecordingFile> {
  const survey = await surveyRecording(path);
  const lost = new LeftOutList();
  return {
    path,
    header: survey.header,
    servers: survey.servers,
    sessionNames: survey.groups.map(({ name }) => `${prefix}${name}`),
    async *sessions(options) {
      const found = readSessions(path, survey, prefix, lost, options);
      for await (const { session } of found) yield session;
    },
    async *readAsRunsOf(task) {
      const options = { withoutCallResults: true };
      const found = readSessions(path, survey, prefix, lost, options);
      for await (const { session, argsTexts, number } of found) {
        if (session.calls.length === 0) continue;
        yield { ...toRecordedTaskRun(session, argsTexts), task, run: number };
      }
    },
    // The survey finds malformed lines; malformed parts of sessions are found while these are read.
    leftOut: () => ({
      count: survey.leftOut.count + lost.count,
      parts: [...survey.leftOut.parts, ...lost.parts],
    }),
  };
}

/** A session of MCP: an agent has one with each server, or several. */
interface McpSession {
  server: string;
  /** `seq` of its first request, and of the first that called something. */
  opened: number;
  firstCall: number;
  /** `seq` of its last event. */
  last: number;
  startedAt: string;
  endedMs: number;
  client: string | undefined;
  calls: number[];
}

/** Sessions of MCP that make up one session of an agent. */
interface SessionGroup {
  name: string;
  client: string | undefined;
  parts: McpSession[];
  /** Number of each call within the group, by its number in the recording. */
  numbers: Map<number, number>;
  /** `seq` of the warnings that belong to the group. */
  warnings: Set<number>;
  /** `seq` of its last event. */
  last: number;
}

interface RecordingSurvey {
  header: ResultsHeader;
  servers: RecordedServer[];
  groups: SessionGroup[];
  /** Group of each session, by `makeSessionKey`. */
  groupByKey: ReadonlyMap<string, SessionGroup>;
  leftOut: LeftOutParts;
  /** A line could not be read: any session may miss what it said. */
  hasLostEvents: boolean;
}

function makeSessionKey({ server, session }: Pick<McpCall, 'server' | 'session'>): string {
  return JSON.stringify([server, session ?? null]);
}

async function surveyRecording(path: string): Promise<RecordingSurvey> {
  const leftOut = new LeftOutList();
  const surveyor = new RecordingSurveyor();
  let hasLostEvents = false;
  const onLeftOut: OnLeftOut = (part, losesEvent) => {
    leftOut.add(part);
    hasLostEvents ||= losesEvent;
  };
  for await (const event of readJournal(path, onLeftOut)) surveyor.add(event);
  return { ...surveyor.survey(), leftOut, hasLostEvents };
}

class RecordingSurveyor {
  readonly #sessions = new Map<string, McpSession>();
  readonly #servers = new Map<string, ServerRecord>();
  readonly #warnings: (Warning & { seq: number })[] = [];
  #started: (RunStarted & { at: string }) | undefined;
  #firstAt = '';
  #lastAt = '';
  #isFinished = false;

  add(event: JournalEvent): void {
    this.#firstAt ||= event.at;
    this.#lastAt = event.at;
    if (event.type === 'run-started') this.#start(event);
    else if (event.type === 'run-ended') this.#isFinished = true;
    else if (event.type === 'warning') this.#warnings.push(event);
    else if (event.type === 'mcp-call') this.#addCall(event);
  }

  #start(event: RunStarted & { at: string }): void {
    this.#started = event;
    for (const { name, transport } of event.mcpServers) this.#server(name).transport = transport;
  }

  #server(name: string): ServerRecord {
    const known = this.#servers.get(name) ?? { name, transport: 'http' };
    this.#servers.set(name, known);
    return known;
  }

  #addCall(event: McpCall & { seq: number; at: string }): void {
    const { request, startedAt, method, call } = event;
    const key = makeSessionKey(event);
    const known = this.#sessions.get(key);
    const session = known ?? {
      server: event.server,
      opened: request,
      firstCall: Number.POSITIVE_INFINITY,
      last: event.seq,
      startedAt,
      endedMs: 0,
      client: undefined,
      calls: [],
    };
    this.#sessions.set(key, session);
    session.last = event.seq;
    session.endedMs = Math.max(session.endedMs, Date.parse(startedAt) + event.durationMs || 0);
    if (request < session.opened) Object.assign(session, { opened: request, startedAt });
    if (call !== undefined) {
      session.firstCall = Math.min(session.firstCall, request);
      session.calls.push(call);
    } else if (method === 'initialize' || method === 'server/discover') {
      session.client ??= readClientName(event);
      this.#learnServer(event);
    } else if (method === 'tools/list') {
      this.#learnTools(event);
    }
  }

  #learnServer({ server, result }: McpCall): void {
    const { protocolVersion, serverInfo } = asRecord(result?.value);
    const record = this.#server(server);
    if (typeof protocolVersion === 'string') record.protocolVersion = protocolVersion;
    const { name, version } = asRecord(serverInfo);
    if (typeof name === 'string' && typeof version === 'string') {
      record.serverInfo = { name, version };
    }
  }

  /** A list comes in pages, and may change: everything that was ever listed was offered. */
  #learnTools({ server, result }: McpCall): void {
    const { tools } = asRecord(result?.value);
    if (!Array.isArray(tools)) return;
    const record = this.#server(server);
    const byName = new Map<unknown, unknown>();
    for (const tool of [...(record.tools ?? []), ...tools]) byName.set(asRecord(tool).name, tool);
    record.tools = [...byName.values()];
  }

  survey(): Omit<RecordingSurvey, 'leftOut' | 'hasLostEvents'> {
    const sessions = [...this.#sessions].sort(([, a], [, b]) => a.opened - b.opened);
    const grouped = groupSessions(sessions);
    const { groups } = grouped;
    const warnings = this.#assignWarnings(groups);
    const unconfigured = [...this.#servers.values()].map(({ name, transport }) => ({
      name,
      transport,
    }));
    const servers: RecordedServer[] = this.#started?.mcpServers ?? unconfigured;
    for (const { name, config } of servers) {
      const record = this.#server(name);
      if (config && record.tools) record.allowedTools = listAllowedTools(config, record.tools);
    }
    return { servers, ...grouped, header: this.#header(groups, warnings) };
  }

  /** Gives each warning to the session that used its server last before it, and returns those of no session. */
  #assignWarnings(groups: readonly SessionGroup[]): ResultsHeader['warnings'] {
    const rest: ResultsHeader['warnings'] = [];
    for (const warning of this.#warnings) {
      const isEarlier = (part: McpSession) =>
        part.opened < warning.seq && (warning.server ?? part.server) === part.server;
      const owner = groups.findLast(({ parts }) => parts.some(isEarlier));
      if (!owner) {
        const { seq, code, message, server, details } = warning;
        rest.push({ seq, code, message, server, details });
        continue;
      }
      owner.warnings.add(warning.seq);
      owner.last = Math.max(owner.last, warning.seq);
    }
    return rest;
  }

  #header(groups: readonly SessionGroup[], warnings: ResultsHeader['warnings']): ResultsHeader {
    const clients = [...new Set(groups.map(({ client }) => client))];
    const [client] = clients;
    const agent: AgentRecord =
      clients.length === 1 && client !== undefined ? { name: client, type: 'recorded' } : null;
    const duration = Date.parse(this.#lastAt) - Date.parse(this.#firstAt);
    return {
      ...makeEmptyHeader('recording'),
      startedAt: this.#firstAt || null,
      durationMs: duration >= 0 ? duration : null,
      agent,
      mcpServers: [...this.#servers.values()],
      finished: this.#isFinished,
      warnings,
    };
  }
}

/**
 * An agent has a session of MCP with each server, and some agents open a second one only to look. So what a
 * client opens belongs to its current group, until it opens a server again that it has already called.
 */
function groupSessions(
  sessions: readonly (readonly [string, McpSession])[],
): Pick<RecordingSurvey, 'groups' | 'groupByKey'> {
  const groups: SessionGroup[] = [];
  const groupByKey = new Map<string, SessionGroup>();
  for (const [key, session] of sessions) {
    const { server, client, opened, last } = session;
    const latest = groups.findLast((group) => group.client === client);
    const isAgain = latest?.parts.some((part) => part.server === server && part.firstCall < opened);
    const group: SessionGroup =
      latest && !isAgain
        ? latest
        : {
            name: `session ${groups.length + 1}`,
            client,
            parts: [],
            numbers: new Map(),
            warnings: new Set<number>(),
            last,
          };
    if (group !== latest) groups.push(group);
    group.parts.push(session);
    group.last = Math.max(group.last, last);
    groupByKey.set(key, group);
  }
  for (const { parts, numbers } of groups) {
    const calls = parts.flatMap((part) => part.calls).sort((a, b) => a - b);
    for (const [index, call] of calls.entries()) numbers.set(call, index + 1);
  }
  return { groups, groupByKey };
}

function readClientName({ args }: McpCall): string | undefined {
  const { clientInfo } = asRecord(args?.value);
  const { name, version } = asRecord(clientInfo);
  if (typeof name !== 'string' || name === '') return undefined;
  return typeof version === 'string' ? `${name} ${version}` : name;
}

function listAllowedTools(
  { alwaysAllow, enableAllTools }: NonNullable<RecordedServer['config']>,
  tools: readonly unknown[],
): string[] {
  const names = tools.map((tool) => asRecord(tool).name).filter((name) => typeof name === 'string');
  if (enableAllTools === true || (enableAllTools === undefined && alwaysAllow === undefined)) {
    return names;
  }
  return Array.isArray(alwaysAllow) ? names.filter((name) => alwaysAllow.includes(name)) : [];
}

/** Reads sessions in the order of their ends, so that memory holds only those open at the same time. */
async function* readSessions(
  path: string,
  { groups, groupByKey, hasLostEvents }: RecordingSurvey,
  prefix: string,
  lost: LeftOutList,
  options: ReadOptions = {},
): AsyncGenerator<ReadSession & { number: number }> {
  const folds = new Map<SessionGroup, TaskRunFold>();
  const getFold = (group: SessionGroup) => {
    const known = folds.get(group);
    if (known) return known;
    const renumber = (call: number) => group.numbers.get(call) ?? call;
    const fold = new TaskRunFold(makeSessionStart(group, prefix), { ...options, renumber });
    // The lost event may belong to any session.
    if (hasLostEvents) fold.loseEvent();
    folds.set(group, fold);
    return fold;
  };
  const owners = new Map(
    groups.flatMap((group) => [...group.warnings].map((seq) => [seq, group] as const)),
  );
  const waiting = groups.toSorted((a, b) => a.last - b.last);
  const file = await openFile(path, 'r');
  try {
    for await (const { event, place } of readPlacedJournal(path)) {
      const group =
        event.type === 'warning'
          ? owners.get(event.seq)
          : event.type === 'mcp-call'
            ? groupByKey.get(makeSessionKey(event))
            : undefined;
      // Events written after the survey are ignored.
      if (group && event.seq <= group.last) getFold(group).add(event, place);
      for (let [next] = waiting; next && next.last <= event.seq; [next] = waiting) {
        waiting.shift();
        const fold = getFold(next);
        folds.delete(next);
        const unchecked = await fold.read(makeSessionEnd(next), (at) => readEventAt(file, at));
        const session = parseSession(unchecked, next, lost);
        if (session) yield { ...session, number: groups.indexOf(next) + 1 };
      }
    }
  } finally {
    await file.close();
  }
}

function makeSessionStart({ name, client }: SessionGroup, prefix: string) {
  return {
    type: 'task-run-started' as const,
    taskRun: name,
    task: `${prefix}${name}`,
    path: '',
    run: 1,
    runs: 1,
    attempt: 1,
    labels: client === undefined ? {} : { client },
    workdir: '',
    random: { id: '', port: 0 },
  };
}

function makeSessionEnd({ name, parts }: SessionGroup): TaskRunEndOrOpen {
  const [first] = parts;
  const startedAt = first?.startedAt ?? '';
  const elapsedMs = Math.max(...parts.map(({ endedMs }) => endedMs)) - Date.parse(startedAt);
  return {
    taskRun: name,
    outcome: null,
    verified: null,
    assertionsHeld: null,
    startedAt,
    durationMs: elapsedMs >= 0 ? elapsedMs : null,
    output: '',
    calls: noCalls,
  };
}

interface ReadSession {
  session: RecordedSession;
  /** The arguments of its calls as JSON. */
  argsTexts: (string | undefined)[];
}

function parseSession(
  unchecked: Awaited<ReturnType<TaskRunFold['read']>>,
  { name }: SessionGroup,
  lost: LeftOutList,
): ReadSession | undefined {
  if (unchecked.tooLarge) {
    const expected = 'a session that can be read';
    lost.add({ place: name, expected, found: 'one that is too large' });
    return undefined;
  }
  const record = parseOpenTaskRun(unchecked.value, name, (part) => lost.add(part));
  if (!record) return undefined;
  const suspected = record.calls.filter((call) => call.suspectedError !== undefined).length;
  const callCounts = { ...countCalls(record.calls), suspected };
  return { session: { ...record, outcome: null, callCounts }, argsTexts: unchecked.argsTexts };
}
