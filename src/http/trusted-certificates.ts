import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { HttpError } from './http-error.js';

/** Certificates that the environment names, besides those that are known; none: only those. */
export function trustedCertificates(environment: NodeJS.ProcessEnv): string[] | undefined {
  const names = ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS'].filter((name) => environment[name]);
  if (names.length === 0) return undefined;
  return [...rootCertificates, ...names.map((name) => readCertificates(name, environment[name]))];
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
