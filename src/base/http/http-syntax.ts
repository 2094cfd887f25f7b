/** What HTTP calls a token (RFC 9110, section 5.6.2): methods and names of headers. */
export const httpToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Headers are bytes: a line end would end them, and what is beyond Latin-1 has no byte. */
const notInValue = /[^\t\x20-\x7e\x80-\xff]/;

/** Why HTTP cannot carry a header. The reason leaves out the value: it may be a secret. */
export function findHeaderProblem(name: string, value: string): string | undefined {
  const shown = JSON.stringify(name);
  if (!httpToken.test(name)) return `${shown} cannot be the name of a header`;
  if (notInValue.test(value)) return `the header ${shown} has a character that no header can carry`;
  return undefined;
}

/** Whether a text is an absolute URL with the scheme http or https. */
export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
