import type { Expression } from '../go-template/go-expression.js';
import type { Template, TemplateNode } from '../go-template/go-template.js';
import { formatParts } from '../go-template/printf-format.js';
import type { TemplateProblem } from '../go-template/template-problem.js';
import type { Outcome, Piece, Prompt, PromptPlace } from './prompt.js';
import { refusals } from './refusals.js';
import { ShellReader } from './shell-reader.js';

export interface PlacedPrompt extends Omit<Prompt, 'reason'> {
  place: PromptPlace;
}

const hint =
  'read the prompt from the file that PROCTOR_PROMPT_FILE names, or from the variable PROCTOR_PROMPT';
const waysLimit = 256;

/**
 * Tells for every `.Prompt` that a command template puts out in which shell quotes it stands, or
 * why it cannot stand there. A template with conditions is read once for each way through it.
 */
export function findPromptPlaces(template: Template): {
  places: PlacedPrompt[];
  problems: TemplateProblem[];
} {
  const outcomes = new Map<Prompt, Outcome>();
  const ways = waysThrough(template.nodes);
  if (ways === undefined) {
    for (const prompt of promptsOf(template.nodes.flatMap(allPieces))) {
      outcomes.set(prompt, { reason: refusals.conditions });
    }
  }
  for (const way of ways ?? []) {
    for (const [prompt, outcome] of new ShellReader(way).read()) {
      outcomes.set(prompt, agreement(outcomes.get(prompt) ?? outcome, outcome));
    }
  }
  const places: PlacedPrompt[] = [];
  const problems: TemplateProblem[] = [];
  const sorted = [...outcomes].sort(([left], [right]) => left.offset - right.offset);
  for (const [{ offset, length, quoted }, outcome] of sorted) {
    if ('place' in outcome) places.push({ offset, length, place: outcome.place, quoted });
    else problems.push({ offset, length, message: outcome.reason, hint });
  }
  return { places, problems };
}

function agreement(left: Outcome, right: Outcome): Outcome {
  if ('reason' in left) return left;
  if ('reason' in right || left.place === right.place) return right;
  return { reason: refusals.condition };
}

/** Every sequence of pieces that the conditions allow; undefined if there are too many. */
function waysThrough(nodes: TemplateNode[]): Piece[][] | undefined {
  let ways: Piece[][] = [[]];
  for (const node of nodes) {
    if (node.kind !== 'if') {
      const pieces = allPieces(node);
      for (const way of ways) for (const piece of pieces) way.push(piece);
      continue;
    }
    const then = waysThrough(node.then);
    const otherwise = waysThrough(node.otherwise);
    if (then === undefined || otherwise === undefined) return undefined;
    if (ways.length * (then.length + otherwise.length) > waysLimit) return undefined;
    ways = ways.flatMap((way) => [...then, ...otherwise].map((branch) => way.concat(branch)));
  }
  return ways;
}

function allPieces(node: TemplateNode): Piece[] {
  if (node.kind === 'text') return [node.text];
  if (node.kind === 'output') return piecesOf(node.expression, false);
  return [...node.then, ...node.otherwise].flatMap(allPieces);
}

/** Quoted text is no text to the shell, so of what `%q` quotes only the prompts count. */
function piecesOf(expression: Expression, quoted: boolean): Piece[] {
  if (expression.kind === 'string') return [quoted ? {} : expression.value];
  if (expression.kind === 'field') {
    const { name, offset, length } = expression;
    return [name === 'Prompt' ? { prompt: { offset, length, quoted } } : {}];
  }
  const [format, ...values] = expression.args;
  if (expression.name !== 'printf' || format?.kind !== 'string') {
    const within = promptsOf(expression.args.flatMap((value) => piecesOf(value, quoted)));
    return [{}, ...within.map((prompt) => ({ prompt: { ...prompt, reason: refusals.logic } }))];
  }
  const remaining = values.values();
  return formatParts(format.value).flatMap((part) => {
    if (part.kind === 'text') return [quoted ? {} : part.text];
    const value = remaining.next().value;
    return value ? piecesOf(value, quoted || part.verb === 'q') : [];
  });
}

function promptsOf(pieces: Piece[]): Prompt[] {
  return pieces.flatMap((piece) =>
    typeof piece !== 'string' && piece.prompt ? [piece.prompt] : [],
  );
}
