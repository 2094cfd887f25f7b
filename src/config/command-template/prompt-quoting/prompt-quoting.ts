import { type Expression, splitFormat } from '../go-expression.js';
import type { Template, TemplateNode } from '../go-template.js';
import type { TemplateProblem } from '../template-tokens.js';
import type { Outcome, Piece, Prompt, PromptPlace } from './prompt.js';
import { placePrompts } from './simple-commands.js';

export interface PlacedPrompt extends Omit<Prompt, 'reason'> {
  place: PromptPlace;
}

const hint =
  'read the prompt from the file that PROCTOR_PROMPT_FILE names, or from the variable PROCTOR_PROMPT';
const waysLimit = 256;

/**
 * Finds for every `.Prompt` that a command template outputs the shell quotes around it, or why
 * it cannot stand there. A template with conditions is read once for each way through it.
 */
export function findPromptPlaces(template: Template): {
  places: PlacedPrompt[];
  problems: TemplateProblem[];
} {
  const outcomes = new Map<Prompt, Outcome>();
  const ways = listWays(template.nodes);
  if (ways === undefined) {
    for (const prompt of listPrompts(template.nodes.flatMap(listPieces))) {
      outcomes.set(prompt, { reason: 'too many conditions decide where the prompt stands' });
    }
  }
  for (const way of ways ?? []) {
    for (const [prompt, outcome] of placePrompts(way)) {
      outcomes.set(prompt, reconcile(outcomes.get(prompt) ?? outcome, outcome));
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

function reconcile(left: Outcome, right: Outcome): Outcome {
  if ('reason' in left) return left;
  if ('reason' in right || left.place === right.place) return right;
  return { reason: 'the quotes around the prompt depend on a condition' };
}

/** Every sequence of pieces that the conditions allow; undefined if there are too many. */
function listWays(nodes: TemplateNode[]): Piece[][] | undefined {
  let ways: Piece[][] = [[]];
  for (const node of nodes) {
    if (node.kind !== 'if') {
      const pieces = listPieces(node);
      for (const way of ways) for (const piece of pieces) way.push(piece);
      continue;
    }
    const then = listWays(node.then);
    const otherwise = listWays(node.otherwise);
    if (then === undefined || otherwise === undefined) return undefined;
    if (ways.length * (then.length + otherwise.length) > waysLimit) return undefined;
    ways = ways.flatMap((way) => [...then, ...otherwise].map((branch) => way.concat(branch)));
  }
  return ways;
}

function listPieces(node: TemplateNode): Piece[] {
  if (node.kind === 'text') return [node.text];
  if (node.kind === 'output') return splitExpression(node.expression, false);
  return [...node.then, ...node.otherwise].flatMap(listPieces);
}

/** Quoted text is no text to the shell, so of what `%q` quotes only the prompts count. */
function splitExpression(expression: Expression, quoted: boolean): Piece[] {
  if (expression.kind === 'string') return [quoted ? {} : expression.value];
  if (expression.kind === 'field') {
    const { name, offset, length } = expression;
    return [name === 'Prompt' ? { prompt: { offset, length, quoted } } : {}];
  }
  const [format, ...values] = expression.args;
  if (expression.name !== 'printf' || format?.kind !== 'string') {
    const within = listPrompts(expression.args.flatMap((value) => splitExpression(value, quoted)));
    const reason = 'the prompt can be inserted only directly or through printf';
    return [{}, ...within.map((prompt) => ({ prompt: { ...prompt, reason } }))];
  }
  const remaining = values.values();
  return splitFormat(format.value).flatMap((part) => {
    if (part.kind === 'text') return [quoted ? {} : part.text];
    const value = remaining.next().value;
    return value ? splitExpression(value, quoted || part.verb === 'q') : [];
  });
}

function listPrompts(pieces: Piece[]): Prompt[] {
  return pieces.flatMap((piece) =>
    typeof piece !== 'string' && piece.prompt ? [piece.prompt] : [],
  );
}
