/** Why a prompt must not stand where it does, in words for the author of the template. */
export const refusals = {
  condition: 'the quotes around the prompt depend on a condition',
  conditions: 'too many conditions decide where the prompt stands',
  logic: 'the prompt can be put in only as it is or through printf',
  unknown: 'the place of the prompt cannot be told',
  nesting: 'the prompt stands after commands that are nested too deep to follow',
  doubleQuoting: 'printf "%q" brings its own quotes, so the prompt must not stand in quotes',
  unclosed: 'the prompt stands in quotes or parentheses that are never closed',
  backslash: 'the backslash before the prompt would escape its quote',
  dollar: 'the $ before the prompt would change the meaning of its quote',
  ansi: "the prompt stands in $'...', where it cannot be quoted",
  backtick: 'the prompt stands in backticks, where it cannot be quoted reliably',
  parameter: 'the prompt stands in a parameter expansion, where it cannot be quoted reliably',
  arithmetic: 'the prompt stands in an arithmetic expression, which the shell would evaluate',
  comment: 'the prompt stands in a comment, so nothing would be passed',
  document: 'the prompt stands in a here-document, where it cannot be quoted',
  file: 'the prompt would be the name of a file to read or write',
  pattern: 'the prompt would be a pattern of case',
  subscript: 'the prompt would be an array subscript, which the shell evaluates',
  program: 'the prompt would be the program to run',
  nested: 'a command string inside a string would execute the prompt',
};

export function executedBy(name: string): string {
  return `${name} would execute the prompt as part of a program`;
}

export function evaluatedBy(name: string): string {
  return `${name} would evaluate the prompt`;
}
