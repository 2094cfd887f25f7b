import path from 'node:path';

/** Where the programs are kept, each version in a folder of its own. */
export const programsFolder = path.resolve(import.meta.dirname, '../../.cache/agents');

/** A program from npm, in the version that the tests know. */
export interface AgentProgram {
  package: string;
  version: string;
  /** Puts the binary for this machine into place. npm does not run such scripts everywhere. */
  installScript?: string;
}

export const agentPrograms = {
  'claude-code-2.1.197': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.197',
    installScript: 'install.cjs',
  },
  'claude-code-2.1.325': {
    package: '@anthropic-ai/claude-code',
    version: '2.1.325',
    installScript: 'install.cjs',
  },
  'claude-agent-acp-0.49.0': {
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.49.0',
  },
  'claude-agent-acp-0.99.1': {
    package: '@agentclientprotocol/claude-agent-acp',
    version: '0.99.1',
  },
  'codex-0.166.0': { package: '@openai/codex', version: '0.166.0' },
  'gemini-cli-0.61.0': { package: '@google/gemini-cli', version: '0.61.0' },
  'opencode-1.18.33': {
    package: 'opencode-ai',
    version: '1.18.33',
    installScript: 'postinstall.mjs',
  },
} satisfies Record<string, AgentProgram>;

export type AgentProgramName = keyof typeof agentPrograms;

/** The folder to put on PATH. */
export function binFolder(name: AgentProgramName): string {
  return path.join(programsFolder, name, 'node_modules', '.bin');
}
