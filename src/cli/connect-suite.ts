import { plural } from '../base/text.js';
import type {
  ConnectedAgent,
  ConnectedEval,
  ConnectedVariant,
} from '../run/preflight/connect-eval.js';
import { terminalLine } from './terminal-text.js';

/** What `validate --connect` found, in words. */
export function formatConnected({ variants, judge, extensions, ...only }: ConnectedEval): string {
  const lines = (variants ?? [{ name: undefined, ...only }]).flatMap(({ name, ...variant }) => [
    ...(name === undefined ? [] : [`  variant ${terminalLine(name)}\n`]),
    ...formatVariant(variant, name === undefined ? '  ' : '    '),
  ]);
  for (const { name, version, operations } of extensions) {
    const what = `${terminalLine(name)} ${terminalLine(version)}`;
    lines.push(`  extension ${what}: ${plural(operations.length, 'operation')}\n`);
  }
  if (judge) lines.push(`  judge ${formatAgent(judge)}`);
  return lines.join('');
}

function formatVariant(
  { servers = [], serversForLater = [], agent }: Partial<ConnectedVariant>,
  indent: string,
): string[] {
  const lines = servers.map(({ name, tools, allowedTools, resources, prompts }) => {
    const parts = [
      `${plural(tools, 'tool')} (${allowedTools} allowed)`,
      plural(resources, 'resource'),
      plural(prompts, 'prompt'),
    ];
    return `${indent}server ${terminalLine(name)}: ${parts.join(', ')}\n`;
  });
  for (const { name, problem } of serversForLater) {
    const why = problem === null ? '' : `; before it: ${terminalLine(problem)}`;
    lines.push(`${indent}server ${terminalLine(name)}: asked after setup in each task run${why}\n`);
  }
  return [...lines, ...(agent ? [`${indent}agent ${formatAgent(agent)}`] : [])];
}

function formatAgent({ name, type, version }: ConnectedAgent): string {
  const shown = version === undefined ? '' : ` ${terminalLine(version)}`;
  return `${terminalLine(name)} (${type})${shown}: ready\n`;
}
