/**
 * Text of an XML 1.0 document, whatever it holds. Characters that XML does not have at all are shown
 * as symbols, or replaced.
 */
export function xmlText(text: string): string {
  return possible(text).replace(/[&<>\r]/g, (character) => entities[character] ?? character);
}

/** The value of an attribute, in double quotes: spaces of all kinds stay what they are. */
export function xmlAttribute(text: string): string {
  return possible(text).replace(/[&<>"\r\n\t]/g, (character) => entities[character] ?? character);
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  // Only `]]>` needs it, which nobody has to look for this way.
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
  '\n': '&#10;',
  '\t': '&#9;',
};

function possible(text: string): string {
  return text.replace(impossible, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/** Control characters but for tab and line ends, halves of pairs, and the two that are none. */
const impossible = /(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu;
