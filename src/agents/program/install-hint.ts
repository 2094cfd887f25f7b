/** Agents that people name in commands, and the npm packages they come from. */
const packages = new Map([
  ['claude', '@anthropic-ai/claude-code'],
  ['codex', '@openai/codex'],
  ['gemini', '@google/gemini-cli'],
  ['opencode', 'opencode-ai'],
  ['copilot', '@github/copilot'],
]);

/** How to get a program that is missing. */
export function installHint(program: string): string {
  const name = packages.get(program);
  return name === undefined ? 'install it, or add its folder to PATH' : `npm install -g ${name}`;
}
