import type { McpServer } from '../../config/files/mcp-config-file.js';
import type { Problems } from '../../config/problems/problem.js';
import type { DataPath } from '../../config/yaml/source-file.js';
import { checkOffers, checkOperations } from '../../plan/checks/check-offers.js';
import type { Suite } from '../../plan/suite.js';
import type { ServerCheck, ServerOffer } from '../../run/preflight/check-servers.js';
import type { Preflight, PreflightOfVariant } from '../../run/preflight/preflight.js';
import type { Verification } from '../../run/preflight/verification.js';
import { WorkspaceError } from '../../run/workspace.js';
import { UsageError } from '../exit-codes.js';
import { logHint } from './log-hint.js';

/** What is missing, at the places of the suite that ask for it. */
export function reportPreflight(
  { variants, judge, extensions }: Preflight<{ suite: Suite; servers: readonly McpServer[] }>,
  verification: Verification,
  problems: Problems,
): void {
  for (const { suite, ready } of variants) {
    reportVariant(ready, suite, problems);
    reportVerification({ judge, extensions }, suite, verification, problems);
  }
}

function reportVariant(
  { servers, agent }: PreflightOfVariant,
  suite: Suite,
  problems: Problems,
): void {
  const { mcp, chosenAgent } = suite;
  const { source } = suite.eval;
  for (const check of servers) {
    if ('offer' in check) continue;
    // Setup may make what it needs; if not, every task run says so.
    if ('isForLater' in check) continue;
    const { server, message, details } = check;
    const text = about(`the server ${JSON.stringify(server)}`, message);
    const place = mcp?.source ? ['mcpServers', server] : ['config'];
    problems.atKey(mcp?.source ?? source, place, 'server-not-ready', text, logHint(details));
  }
  const at = placeOfAgent(suite);
  for (const { message, hint } of agent.problems) {
    // The eval is not to blame then, but has the only place to point at.
    const isOption = chosenAgent !== undefined && chosenAgent.at === undefined;
    const text = isOption ? `--agent ${chosenAgent.written}: ${message}` : message;
    problems.atKey(source, at, 'agent-not-ready', text, hint);
  }
  checkOffers(suite, offersOf(servers), problems);
}

/** Where an eval says who does its tasks. */
export function placeOfAgent({ eval: { data }, chosenAgent }: Suite): DataPath {
  return chosenAgent?.at ?? ['config', data.config.agent ? 'agent' : 'agentFile'];
}

function reportVerification(
  { judge, extensions }: Pick<Preflight, 'judge' | 'extensions'>,
  suite: Suite,
  verification: Verification,
  problems: Problems,
): void {
  const { source } = suite.eval;
  for (const { message, hint } of judge.problems) {
    problems.atKey(source, ['config', 'llmJudge'], 'judge-not-ready', message, hint);
  }
  for (const check of extensions) {
    if ('manifest' in check) continue;
    const { extension, message, details, hint } = check;
    const at = ['config', 'extensions', extension];
    const text = about(`the extension ${extension}`, message);
    const help = [hint, logHint(details)].filter((each) => each !== undefined).join('; ');
    problems.atKey(source, at, 'extension-not-ready', text, help || undefined);
  }
  const host = verification.extensions;
  const operationsOf = (extension: string) => {
    const manifest = host.manifestOf(extension);
    return manifest && [...manifest.operations.keys()];
  };
  checkOperations(suite, (...step) => host.flawsOf(...step), operationsOf, problems);
}

/** What those servers offer that are ready. */
export function offersOf(servers: readonly ServerCheck[]): Map<string, ServerOffer> {
  return new Map(
    servers.flatMap((check) => ('offer' in check ? [[check.server, check.offer] as const] : [])),
  );
}

/** Many messages say themselves whom they are about. */
function about(name: string, message: string): string {
  return message.startsWith(name) ? message : `${name} is not ready: ${message}`;
}

/** Without a place for temporary files nothing can be asked, and nothing run. */
export function refuseWithoutWorkspace(error: unknown): never {
  if (!(error instanceof WorkspaceError)) throw error;
  throw new UsageError(error.message, 'or set TMPDIR to a folder that can be written');
}
