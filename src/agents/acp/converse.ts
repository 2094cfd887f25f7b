import type { InitializeRequest, NewSessionRequest, PromptRequest } from '@agentclientprotocol/sdk';
import { asRecord, asString } from '../../base/json.js';
import { AnsweredError } from '../../base/json-rpc-peer.js';
import { withTimeout } from '../../base/timeouts.js';
import type { AgentTask } from '../agent.js';
import { type JsonRpcProgram, ProgramGone } from '../program/json-rpc-program.js';
import { mcpServersFor } from './mcp-servers.js';
import type { Turn } from './turn.js';
import { TurnFailure } from './turn-failure.js';

const protocolVersion = 1;

/** All that is said in a turn, up to the answer to the prompt. Rejects with TurnFailure. */
export async function converse(
  program: JsonRpcProgram,
  turn: Turn,
  task: AgentTask,
  startupTime: number,
): Promise<Record<string, unknown>> {
  const begin = (method: string, params: object, authMethods?: unknown) =>
    inTime(startupTime, method, request(program, method, params, authMethods));

  const initialize: InitializeRequest = {
    protocolVersion,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    // Some agents pass it on to the model: it says nothing of what they are part of.
    clientInfo: { name: 'acp-client', version: '1.0.0' },
  };
  const agent = await begin('initialize', initialize);
  checkVersion(agent.protocolVersion);

  const { http } = asRecord(asRecord(agent.agentCapabilities).mcpCapabilities);
  const newSession: NewSessionRequest = {
    cwd: task.workdir,
    mcpServers: await mcpServersFor(task, { http: http === true }),
  };
  const session = await begin('session/new', newSession, agent.authMethods);
  const sessionId = asString(session.sessionId);
  if (sessionId === undefined) {
    throw new TurnFailure('not-started', 'answered session/new without the id of a session');
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
    if (!(error instanceof AnsweredError || error instanceof ProgramGone)) throw error;
    throw TurnFailure.of(error, method, authMethods);
  }
}

async function inTime<T>(milliseconds: number, method: string, answer: Promise<T>): Promise<T> {
  const answered = await withTimeout(milliseconds, answer);
  if (answered !== undefined) return answered;
  const seconds = milliseconds / 1000;
  throw new TurnFailure('not-started', `did not answer ${method} within ${seconds} s`);
}

function checkVersion(version: unknown): void {
  if (version === protocolVersion) return;
  const found = typeof version === 'number' ? `version ${version}` : 'no version';
  throw new TurnFailure(
    'not-started',
    `speaks ${found} of the Agent Client Protocol, and Proctor version ${protocolVersion}`,
  );
}
