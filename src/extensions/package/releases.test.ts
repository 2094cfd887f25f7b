import { expect, it } from 'vitest';
import { certificateFile, LoopbackServer } from '../../../testing/loopback-http.js';
import { ReleaseHost } from './release-host.js';
import { Releases } from './releases.js';

const reference = {
  kind: 'release',
  text: 'https://github.com/org/tool@v1',
  owner: 'org',
  repo: 'tool',
  version: 'v1',
} as const;

it('believes nothing that comes unencrypted in the end', async () => {
  const plain = await LoopbackServer.http((_, response) => {
    response.end(JSON.stringify({ assets: [] }));
  });
  const api = await LoopbackServer.https((_, response) => {
    response.writeHead(302, { location: plain.url() }).end();
  });
  const environment = {
    SSL_CERT_FILE: certificateFile,
    PROCTOR_GITHUB_API_URL: `https://127.0.0.1:${api.port}`,
  };
  const releases = new Releases(new ReleaseHost(environment), {
    environment,
    signal: new AbortController().signal,
    delay: async () => {},
    idleMs: 5_000,
  });
  await expect(releases.find(reference)).rejects.toThrow(
    `leads to http://127.0.0.1:${plain.port}, which is not encrypted`,
  );
});
