/** `a`, `a and b`, `a, b and c`; of many only the first ones, and how many there are more. */
export function enumeration(parts: readonly string[], total = parts.length, most = 4): string {
  const shown = parts.slice(0, most);
  const hidden = total - shown.length;
  const all = hidden > 0 ? [...shown, `${hidden} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}
