/** The last that a program said before it gave up, on one line. */
export function logHint(log: string | undefined): string | undefined {
  const lines = (log ?? '').replaceAll('\r', '').replace(propertiesOfError, '').split('\n');
  const telling = lines.filter((line) => !saysNothing.test(line)).map((line) => line.trim());
  return telling.slice(-3).join(' | ') || undefined;
}

/** What Node.js lists after the stack of an error, with the last line of the stack. */
const propertiesOfError = /^[ \t]+at [^\n]* \{\n(?:[ \t][^\n]*\n)*\}$/gm;

/** Empty, a place in a stack, the mark under a column, or the version of Node.js. */
const saysNothing = /^(?:\s+at .*|\s*\^*\s*|Node\.js v\d.*)$/;
