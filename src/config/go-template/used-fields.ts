import type { Expression } from './go-expression.js';
import type { Template, TemplateNode } from './go-template.js';

/** The names of the fields that a template looks at. */
export function usedFields({ nodes }: Template): Set<string> {
  return new Set(nodes.flatMap(fieldsOfNode));
}

function fieldsOfNode(node: TemplateNode): string[] {
  if (node.kind === 'text') return [];
  if (node.kind === 'output') return fieldsOf(node.expression);
  const branches = [...node.then, ...node.otherwise];
  return [...fieldsOf(node.condition), ...branches.flatMap(fieldsOfNode)];
}

function fieldsOf(expression: Expression): string[] {
  if (expression.kind === 'field') return [expression.name];
  return expression.kind === 'call' ? expression.args.flatMap(fieldsOf) : [];
}
