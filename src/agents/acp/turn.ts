import type {
  InitializeRequest,
  McpServer,
  NewSessionRequest,
  PromptRequest,
} from '@agentclientprotocol/sdk';
import { asRecord, asString } from '../../base/json.js';
import { AnsweredError, type PeerHandlers } from '../../base/json-rpc-peer.js';
import { withTimeout } from '../../base/timeouts.js';
import type { AgentServer, AgentTask, PermissionDenial } from '../agent.js';
import { prepareBridge } from '../program/agent-files.js';
import { type JsonRpcProgram, ProgramGoneError } from '../program/json-rpc-program.js';
import { type AmbiguousTools, answerPermissionRequest, decidePermission } from './permission.js';
import { readReportedCost } from './reported-usage.js';
import { Transcript } from './transcript.js';
import { TurnError } from './turn-error.js';

const maxDenials = 1000;

/** The client's side of the single turn of an agent: takes updates and answers permission requests. */
export class Turn implements PeerHandlers {
  readonly transcript: Transcript;
  readonly denials: PermissionDenial[] = [];
  cost: number | undefined;
  readonly #servers: readonly AgentServer[];
  readonly #signal: AbortSignal;
  readonly #ambiguousTools: AmbiguousTools;
  readonly #log: (line: string) => void;
  #session: string | undefined;

  constructor(
    { servers, signal, report }: AgentTask,
    ambiguousTools: AmbiguousTools,
    log: (line: string) => void,
  ) {
    this.#ambiguousTools = ambiguousTools;
    this.#servers = servers;
    this.#signal = signal;
    this.#log = log;
    this.transcript = new Transcript(report);
  }

  get session(): string | undefined {
    return this.#session;
  }

  /** Starts to listen to this session; updates of other sessions of the agent are ignored. */
  begin(session: string): void {
    this.#session = session;
  }

  notified(method: string, params: unknown): void {
    const { sessionId, update } = asRecord(params);
    if (method !== 'session/update' || sessionId !== this.#session) return;
    const data = asRecord(update);
    this.cost = readReportedCost(data) ?? this.cost;
    this.transcript.update(data);
  }

  /** Answers permission requests only: the client offers neither files nor terminals. */
  answer(method: string, params: unknown): object | undefined {
    if (method !== 'session/request_permission') return undefined;
    return { outcome: this.#decide(asRecord(params)) };
  }

  noise(line: string): void {
    this.#log(line);
  }

  /**
   * Decides without a user. As in the print mode of Claude Code, the agent may use the MCP tools
   * that it was allowed, and nothing else that it has to ask for.
   */
  #decide(question: Record<string, unknown>): object {
    if (this.#signal.aborted) return { outcome: 'cancelled' };
    const call = this.transcript.takePermissionRequest(asRecord(question.toolCall));
    const permission = decidePermission(call, this.#servers, this.#ambiguousTools);
    const outcome = answerPermissionRequest(question, permission.isAllowed);
    const isDenied = !permission.isAllowed || outcome.outcome === 'cancelled';
    if (isDenied && this.denials.length < maxDenials) {
      const reason = permission.isAllowed ? undefined : permission.reason;
      this.denials.push({ tool: call.tool, ...(reason !== undefined && { reason }) });
    }
    return outcome;
  }
}

const protocolVersion = 1;

/** Makes all requests of a turn, up to the answer to the prompt. Rejects with TurnError. */
export async function converse(
  program: JsonRpcProgram,
  turn: Turn,
  task: AgentTask,
  startupTime: number,
): Promise<Record<string, unknown>> {
  const begin = (method: string, params: object, authMethods?: unknown) =>
    requireInTime(startupTime, method, request(program, method, params, authMethods));

  const initialize: InitializeRequest = {
    protocolVersion,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    // Some agents pass it on to the model, so it must not reveal that this is a test.
    clientInfo: { name: 'acp-client', version: '1.0.0' },
  };
  const agent = await begin('initialize', initialize);
  checkVersion(agent.protocolVersion);

  const { http } = asRecord(asRecord(agent.agentCapabilities).mcpCapabilities);
  const newSession: NewSessionRequest = {
    cwd: task.workdir,
    mcpServers: await listMcpServers(task, { http: http === true }),
  };
  const session = await begin('session/new', newSession, agent.authMethods);
  const sessionId = asString(session.sessionId);
  if (sessionId === undefined) {
    throw new TurnError('not-started', 'answered session/new without the id of a session');
  }

  turn.begin(sessionId);
  const said: PromptRequest = { sessionId, prompt: [{ type: 'text', text: task.prompt }] };
  return request(program, 'session/prompt', said, agent.authMethods);
}

async function request(
  program: JsonRpcProgram,
  method: string,
  params: object,
  authMethods?: unknown,
): Promise<Record<string, unknown>> {
  try {
    return asRecord(await program.request(method, params));
  } catch (error) {
    if (!(error instanceof AnsweredError || error instanceof ProgramGoneError)) throw error;
    throw TurnError.fromResponse(error, method, authMethods);
  }
}

async function requireInTime<T>(
  milliseconds: number,
  method: string,
  answer: Promise<T>,
): Promise<T> {
  const answered = await withTimeout(milliseconds, answer);
  if (answered !== undefined) return answered;
  const seconds = milliseconds / 1000;
  throw new TurnError('not-started', `did not answer ${method} within ${seconds} s`);
}

function checkVersion(version: unknown): void {
  if (version === protocolVersion) return;
  const found = typeof version === 'number' ? `version ${version}` : 'no version';
  throw new TurnError(
    'not-started',
    `speaks ${found} of the Agent Client Protocol, and Proctor version ${protocolVersion}`,
  );
}

/**
 * Lists the servers for session/new. Every agent can start a program, but not all support HTTP.
 * Throws NotStartedError.
 */
async function listMcpServers(
  { servers, privateFolder }: AgentTask,
  { http }: { http: boolean },
): Promise<McpServer[]> {
  if (http) return servers.map(({ name, url }) => ({ type: 'http', name, url, headers: [] }));
  const bridgeTo = await prepareBridge(privateFolder);
  return servers.map(({ name, url }) => ({ name, ...bridgeTo(url), env: [] }));
}
