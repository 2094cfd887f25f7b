import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ModelServer } from '../support/model-server/model-server.js';
import { binFolder } from './agent-programs.js';
import type { RealAgent } from './real-agents.js';

const suite = path.join(import.meta.dirname, 'suite');

/** All that an agent finds: its program, the model, and nothing of this machine's settings. */
export async function agentEnvironment(
  folder: string,
  agent: RealAgent,
  model: Pick<ModelServer, 'url'>,
): Promise<Record<string, string>> {
  const folders = await foldersIn(folder);
  await writeCodexConfig(folder, model);
  return {
    ...folders,
    ...modelEnvironment(model),
    PATH: `${binFolder(agent.program)}${path.delimiter}${process.env.PATH}`,
  };
}

/** A home of its own for whatever the agent wants to keep. */
async function foldersIn(folder: string): Promise<Record<string, string>> {
  const home = path.join(folder, 'home');
  const folders = {
    HOME: home,
    TMPDIR: path.join(folder, 'tmp'),
    XDG_CACHE_HOME: path.join(home, '.cache'),
    XDG_CONFIG_HOME: path.join(home, '.config'),
    XDG_DATA_HOME: path.join(home, '.local', 'share'),
    XDG_STATE_HOME: path.join(home, '.local', 'state'),
  };
  for (const each of Object.values(folders)) await mkdir(each, { recursive: true });
  return folders;
}

/** What a user of codex has in HOME: which model to ask. */
async function writeCodexConfig(folder: string, { url }: Pick<ModelServer, 'url'>): Promise<void> {
  const config = [
    'model = "test"',
    'model_provider = "loopback"',
    '[model_providers.loopback]',
    'name = "loopback"',
    `base_url = "${url}/v1"`,
    'env_key = "MODEL_KEY"',
    '[analytics]',
    'enabled = false',
    '[features]',
    'plugins = false',
  ];
  const home = path.join(folder, 'home/.codex');
  await mkdir(home);
  await writeFile(path.join(home, 'config.toml'), config.join('\n'));
}

/** How each program is told which model to ask. */
function modelEnvironment({ url }: Pick<ModelServer, 'url'>): Record<string, string> {
  const key = 'key-of-the-tests';
  return {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_CLI_SYSTEM_SETTINGS_PATH: path.join(suite, 'gemini-settings.json'),
    OPENCODE_CONFIG: path.join(suite, 'opencode.json'),
    MODEL_KEY: key,
    MODEL_URL: url,
  };
}
