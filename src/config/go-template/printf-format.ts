/** A piece of a printf format; the verb is what follows the percent sign. */
type FormatPart = { kind: 'text'; text: string } | { kind: 'verb'; verb: string };

/** Splits a printf format into its literal text and its verbs, in order. */
export function formatParts(format: string): FormatPart[] {
  const parts: FormatPart[] = [];
  let end = 0;
  for (const { 0: found, index } of format.matchAll(/%[-+# 0-9.*[\]]*.?/gsu)) {
    if (index > end) parts.push({ kind: 'text', text: format.slice(end, index) });
    const literal = found === '%%';
    parts.push(literal ? { kind: 'text', text: '%' } : { kind: 'verb', verb: found.slice(1) });
    end = index + found.length;
  }
  if (end < format.length) parts.push({ kind: 'text', text: format.slice(end) });
  return parts;
}
