/**
 * Variables that say how Proctor was started, by its user, by CI, by npm or by a shell: an agent could
 * read from them that it is tested, and with what.
 */
const aboutOurStart = [
  /^PROCTOR_/i,
  /^npm_(?:lifecycle|package)_/i,
  /^npm_(?:command|config_(?:local_prefix|package|call))$/i,
  /^(?:INIT_CWD|PROJECT_CWD|PNPM_SCRIPT_SRC_DIR|OLDPWD|SUDO_COMMAND|_)$/i,
  /^GITHUB_ACTION(?:_PATH|_REPOSITORY)?$/i,
];

/** The environment of an agent's program: what it inherits, and on top what its Agent file names. */
export function agentEnvironment(
  { environment, workdir }: { environment: NodeJS.ProcessEnv; workdir: string },
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const inherited = Object.entries(environment).filter(
    ([name]) => !aboutOurStart.some((pattern) => pattern.test(name)),
  );
  return { ...Object.fromEntries(inherited), PWD: workdir, ...own };
}
