/**
 * Text from a file, a server or an agent, made harmless for a terminal: control characters are
 * shown as symbols instead of being obeyed, and invisible direction marks are replaced.
 */
export function terminalText(text: string): string {
  return text.replace(unsafe, (character) => {
    const code = character.codePointAt(0) ?? 0;
    if (code === 0x7f) return '\u2421';
    return code < 0x20 ? String.fromCodePoint(0x2400 + code) : '\ufffd';
  });
}

/** Control characters but for the line feed, and the marks that change the direction of text. */
const unsafe = /(?!\n)[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** One line of text: line feeds are shown too. */
export function terminalLine(text: string): string {
  return terminalText(text.replaceAll('\t', '  ')).replaceAll('\n', '\u240a');
}

const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const zeroWidth = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Columns that a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (zeroWidth.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}
