/**
 * Replaces what looks like a secret by stars of the same length, so that markers still fit. For text
 * that is shown to people: lines of files and messages.
 */
export function maskSecrets(text: string): string {
  return secretShapes.reduce(
    (masked, shape) =>
      masked.replace(shape, (whole, before: string, secret: string) =>
        secret.includes('${') ? whole : before + '*'.repeat(secret.length),
      ),
    text,
  );
}

/** What stands before a secret, and the secret. */
const secretShapes = [
  // A header or variable that carries one.
  /((?:authorization|api[-_]?key|token|secret|password)["']?\s*[:=]\s*["']?)([^\s"',}]{8,}(?: [^\s"',}]+)*)/gi,
  /(\b(?:bearer|basic)\s+)([^\s"',}]{8,})/gi,
  /(:\/\/[^\s/@:]*:)([^\s/@]+)(?=@)/g,
  // Tokens that can be told by their shape.
  /(\b(?:sk|pk|rk)-(?:live-|test-|proj-|ant-)?)([A-Za-z0-9_-]{12,})/g,
  /(\b(?:ghp|gho|ghs|ghu|github_pat|glpat|xox[abprs])[-_])([A-Za-z0-9_-]{12,})/g,
  /(\b(?:AKIA|ASIA))([A-Z0-9]{12,})/g,
];
