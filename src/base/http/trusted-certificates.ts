import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { HttpError } from './http-error.js';

/** By the names of the files: to read all the certificates takes longer than to connect. */
const contexts = new Map<string, SecureContext>();

/**
 * Trusts the certificates that the environment names, besides those that are known. None: only
 * those, as without it. Throws HttpError.
 */
export function trustedCertificates(environment: NodeJS.ProcessEnv): SecureContext | undefined {
  const names = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].filter((name) => environment[name]);
  if (names.length === 0) return undefined;
  const key = JSON.stringify(names.map((name) => environment[name]));
  const known = contexts.get(key);
  if (known) return known;
  const own = names.map((name) => readCertificates(name, environment[name]));
  const context = createSecureContext({ ca: [...rootCertificates, ...own] });
  contexts.set(key, context);
  return context;
}

function readCertificates(name: string, path = ''): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new HttpError('environment', `the file that ${name} names cannot be read`, {
      cause: error,
    });
  }
}
