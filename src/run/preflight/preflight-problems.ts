import type { Problems } from '../../config/problems/problem.js';
import type { Extensions } from '../../extensions/extensions.js';
import { checkOffers, checkOperations } from '../../plan/checks/check-offers.js';
import type { Suite } from '../../plan/suite.js';
import { locateAgent } from '../prepare/agent-definition.js';
import { type ServerCheck, type ServerOffer, summarizeLog } from './check-servers.js';
import type { Preflight, VariantReadiness } from './preflight.js';

/** Reports what is missing as problems, at the places of the suite that ask for it. */
export function reportPreflight(
  { variants, judge, extensions }: Preflight,
  host: Extensions,
  problems: Problems,
): void {
  for (const { suite, ready } of variants) {
    reportVariant(ready, suite, problems);
    reportJudgeAndExtensions({ judge, extensions }, suite, host, problems);
  }
}

function reportVariant(
  { servers, agent }: VariantReadiness,
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
    const text = nameSubject(`the server ${JSON.stringify(server)}`, message);
    const place = mcp?.source ? ['mcpServers', server] : ['config'];
    problems.atKey(mcp?.source ?? source, place, 'server-not-ready', text, summarizeLog(details));
  }
  const at = locateAgent(suite);
  for (const { message, hint } of agent.problems) {
    // The eval is not to blame then, but has the only place to point at.
    const isOption = chosenAgent !== undefined && chosenAgent.at === undefined;
    const text = isOption ? `--agent ${chosenAgent.written}: ${message}` : message;
    problems.atKey(source, at, 'agent-not-ready', text, hint);
  }
  checkOffers(suite, collectOffers(servers), problems);
}

function reportJudgeAndExtensions(
  { judge, extensions }: Pick<Preflight, 'judge' | 'extensions'>,
  suite: Suite,
  host: Extensions,
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
    const text = nameSubject(`the extension ${extension}`, message);
    const help = [hint, summarizeLog(details)].filter((part) => part !== undefined).join('; ');
    problems.atKey(source, at, 'extension-not-ready', text, help || undefined);
  }
  const operationsOf = (extension: string) => {
    const manifest = host.manifestOf(extension);
    return manifest && [...manifest.operations.keys()];
  };
  checkOperations(suite, (...step) => host.flawsOf(...step), operationsOf, problems);
}

/** What the servers offer that are ready, by their names. */
export function collectOffers(servers: readonly ServerCheck[]): Map<string, ServerOffer> {
  return new Map(
    servers.flatMap((check) => ('offer' in check ? [[check.server, check.offer] as const] : [])),
  );
}

/** Names the server or extension, unless its message does so itself. */
function nameSubject(name: string, message: string): string {
  return message.startsWith(name) ? message : `${name} is not ready: ${message}`;
}
