import { valueAt } from './check-shape.js';
import {
  type Environment,
  findReferences,
  stringsWith,
  variable,
} from './environment-expansion.js';
import type { McpConfig, McpServer } from './mcp-config-file.js';
import type { AgentData } from './schemas/agent-schema.js';

/** A value that must not be seen, and the name that is shown in its place. */
export interface Secret {
  name: string;
  value: string;
}

/** Shorter values are found in ordinary text too. */
const minLength = 8;
/** Of one line of a longer value: such as `-----BEGIN` are no secrets. */
const minLineLength = 32;

/** Part of every path and prompt, and no secret even where a config refers to them. */
const ordinaryVariables = ['HOME', 'PATH', 'PWD', 'USER', 'SHELL', 'TMPDIR', 'LANG'];

/** Variables that hold a secret wherever they are set. */
const apiKeyVariables = [
  'ANTHROPIC_API_KEY',
  'OPENAI_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'GOOGLE_API_KEY',
  'GOOGLE_GENERATIVE_AI_API_KEY',
  'GEMINI_API_KEY',
  'MODEL_KEY',
];

/** Secrets by value. The first name that a value gets is kept. */
export class Secrets {
  readonly #names = new Map<string, string>();
  readonly #ordinary: ReadonlySet<string>;

  constructor(environment: Environment = {}) {
    const values = ordinaryVariables.map((name) => variable(environment, name)?.trim() ?? '');
    this.#ordinary = new Set(values);
  }

  /** Leaves out what is too short or too ordinary to be replaced wherever it stands. */
  add(name: string, value: string | undefined): void {
    this.#add(name, value);
    // A key of several lines is often shown a line at a time, and one line of it says too much.
    const lines = value?.trim().split(/\r?\n/) ?? [];
    if (lines.length > 1) {
      for (const line of lines) if (line.trim().length >= minLineLength) this.#add(name, line);
    }
  }

  #add(name: string, value: string | undefined): void {
    // Space around it gets lost on the way: a header is sent without.
    const secret = value?.trim() ?? '';
    if (secret.length < minLength || ordinaryVariables.includes(name)) return;
    if (this.#ordinary.has(secret) || this.#names.has(secret)) return;
    this.#names.set(secret, name);
  }

  entries(): Secret[] {
    return [...this.#names].map(([value, name]) => ({ name, value }));
  }
}

/**
 * The secrets of the enabled servers of a config, the API keys of the environment, and what an agent
 * is given.
 */
export function secretsOf(
  config: McpConfig | undefined,
  environment: Environment,
  agent?: AgentData,
): Secrets {
  const secrets = new Secrets(environment);
  const { builtin, acp, commands } = agent ?? {};
  const named = builtin?.apiKey === undefined ? [] : [builtin.apiKey];
  for (const name of [...apiKeyVariables, ...named]) {
    secrets.add(name, variable(environment, name));
  }
  for (const { env = {} } of [builtin ?? {}, acp ?? {}, commands ?? {}]) {
    for (const [name, value] of Object.entries(env)) {
      if (soundsSecret(name)) secrets.add(name, value);
    }
  }
  for (const server of config?.servers ?? []) {
    const written = valueAt(config?.written, ['mcpServers', server.name]);
    // Before the values they are part of: the name of a variable says more than that of a header.
    addVariables(secrets, written, environment);
    addValues(secrets, server, written);
  }
  return secrets;
}

function addVariables(secrets: Secrets, written: unknown, environment: Environment): void {
  for (const { path, text } of stringsWith('${', written, [])) {
    const isPrivate = path[0] === 'headers' || path[0] === 'env';
    for (const { name } of findReferences(text)) {
      // Elsewhere (an address, arguments) most variables are ports and folders.
      if (isPrivate || soundsSecret(name)) secrets.add(name, variable(environment, name));
    }
  }
}

function addValues(secrets: Secrets, { data }: McpServer, written: unknown): void {
  for (const [name, value] of Object.entries(data.headers ?? {})) {
    if (!isCredentialHeader(name) && !soundsSecret(name)) continue;
    const isLiteral = written === undefined || valueAt(written, ['headers', name]) === value;
    addCredential(secrets, name, value, isLiteral);
  }
  for (const [name, value] of Object.entries(data.env ?? {})) {
    if (soundsSecret(name)) secrets.add(name, value);
  }
  if (data.url !== undefined) addPartsOfUrl(secrets, data.url);
}

function addCredential(secrets: Secrets, name: string, value: string, isLiteral: boolean): void {
  const [, credential] = /^\s*(?:bearer|basic)\s+(\S.*)$/i.exec(value) ?? [];
  secrets.add(name, credential);
  // `Bearer ${TOKEN}` is better shown as the scheme and the name of the variable.
  const isCovered = !isLiteral && (credential?.trim().length ?? 0) >= minLength;
  if (!isCovered) secrets.add(name, value);
}

function addPartsOfUrl(secrets: Secrets, text: string): void {
  if (!URL.canParse(text)) return;
  const url = new URL(text);
  addEncoded(secrets, 'password', url.password);
  for (const part of url.search.slice(1).split('&')) {
    const [key = '', ...rest] = part.split('=');
    if (soundsSecret(key)) addEncoded(secrets, key, rest.join('='));
  }
}

/** As it stands in the address, and as the server reads it. */
function addEncoded(secrets: Secrets, name: string, value: string): void {
  secrets.add(name, value);
  try {
    secrets.add(name, decodeURIComponent(value.replaceAll('+', ' ')));
    secrets.add(name, decodeURIComponent(value));
  } catch {
    // A stray percent sign: then it means itself.
  }
}

function isCredentialHeader(name: string): boolean {
  return /^(?:(?:proxy-)?authorization|cookie)$/i.test(name);
}

function soundsSecret(name: string): boolean {
  return (
    /token|key|secret|passw(?:or)?d|credential/i.test(name) ||
    // Only as words of their own: PATH, AUTHOR and COMPASS hold no secrets.
    wordsOf(name).some((word) => ['pass', 'pat', 'auth'].includes(word))
  );
}

/** `DB_PASS`, `db-pass` and `dbPass` are the same two words. */
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.split(/[^a-z]+/);
}
