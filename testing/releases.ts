import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'vitest';
import {
  locateProgram,
  type ReleaseProgramOptions,
} from '../src/extensions/package/locate-program.js';
import { describePlatform } from '../src/extensions/package/release-assets.js';
import { onLoneTestFinished } from './test-end.js';

/** A file as the release's API describes it, and what is there. */
export interface ServedFile {
  content: Buffer;
  /** Instead of the true ones; null: the API says nothing about it. */
  digest?: string | null;
  size?: number;
}

export interface ServedRelease {
  /** `org/repo`. */
  repository: string;
  tag: string;
  files: Readonly<Record<string, Buffer | ServedFile>>;
}

type Answer = (response: ServerResponse, content: Buffer) => void;

interface ReceivedRequest {
  /** GitHub has the API, its website, and where files lie on different hosts. */
  host: 'api' | 'website' | 'storage';
  path: string;
  headers: IncomingHttpHeaders;
}

/** Stands in for GitHub with its releases, on three origins of this machine. Ends with the test. */
export class StandInReleaseHost {
  readonly received: ReceivedRequest[] = [];
  /** Given in place of the API's next answers, one each. */
  readonly apiAnswers: Answer[] = [];
  /** The same for the next downloads, also those of checksums. */
  readonly downloadAnswers: Answer[] = [];
  readonly #releases: ServedRelease[] = [];
  readonly #servers: readonly Server[];
  readonly #origins: Record<ReceivedRequest['host'], string>;

  static async listen(
    onTestFinished: TestContext['onTestFinished'] = onLoneTestFinished,
    /** The address by which the server at an origin is known. */
    place: (origin: string) => Promise<string> = async (origin) => origin,
  ): Promise<StandInReleaseHost> {
    const servers = [await listening(), await listening(), await listening()] as const;
    const [api, website, storage] = servers.map((server) => place(originOf(server)));
    const host = new StandInReleaseHost(servers, {
      api: (await api) ?? '',
      website: (await website) ?? '',
      storage: (await storage) ?? '',
    });
    onTestFinished(() => host.close());
    return host;
  }

  private constructor(
    [api, website, storage]: readonly [Server, Server, Server],
    origins: Record<ReceivedRequest['host'], string>,
  ) {
    this.#servers = [api, website, storage];
    this.#origins = origins;
    this.#serve('api', api, (url, request, response) => this.#answerApi(url, request, response));
    this.#serve('website', website, ({ pathname }, _, response) => {
      response.writeHead(302, { location: `${this.#origins.storage}${pathname}?signed=1` }).end();
    });
    this.#serve('storage', storage, ({ pathname }, _, response) => {
      this.#answerDownload(decodeURIComponent(pathname).slice(1), response);
    });
  }

  /** Of the API, the website and the storage. */
  get origins(): string[] {
    return Object.values(this.#origins);
  }

  get apiUrl(): string {
    return `${this.#origins.api}/api/v3`;
  }

  get paths(): string[] {
    return this.received.map(({ host, path }) => `${host} ${path}`);
  }

  publish(release: ServedRelease): void {
    this.#releases.unshift(release);
  }

  async close(): Promise<void> {
    for (const server of this.#servers.filter(({ listening }) => listening)) {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  }

  #serve(
    host: ReceivedRequest['host'],
    server: Server,
    answer: (url: URL, request: IncomingMessage, response: ServerResponse) => void,
  ): void {
    server.on('request', (request, response) => {
      const url = new URL(request.url ?? '', this.#origins[host]);
      this.received.push({ host, path: url.pathname, headers: request.headers });
      answer(url, request, response);
    });
  }

  #answerApi({ pathname }: URL, request: IncomingMessage, response: ServerResponse): void {
    const scripted = this.apiAnswers.shift();
    if (scripted) {
      scripted(response, Buffer.alloc(0));
      return;
    }
    const asset = /^\/api\/v3\/assets\/(.+)$/.exec(pathname)?.[1];
    // For whoever has a token: the same address gives the description, and the file.
    if (asset !== undefined && request.headers.accept === 'application/octet-stream') {
      response.writeHead(302, { location: `${this.#origins.storage}/${asset}?signed=1` }).end();
      return;
    }
    const release = this.#releases.find(
      ({ repository, tag }) =>
        pathname === `/api/v3/repos/${repository}/releases/tags/${encodeURIComponent(tag)}`,
    );
    if (release) response.end(JSON.stringify(this.#described(release)));
    else response.writeHead(404).end('{"message":"Not Found"}');
  }

  #described({ repository, tag, files }: ServedRelease) {
    const assets = Object.entries(files).map(([name, file]) => {
      const { content, digest, size } = servedFile(file);
      const place = encodeURIComponent(`${repository}/${tag}/${name}`);
      return {
        name,
        url: `${this.apiUrl}/assets/${place}`,
        browser_download_url: `${this.#origins.website}/${place}`,
        size: size ?? content.length,
        digest: digest === undefined ? `sha256:${sha256(content)}` : digest,
      };
    });
    return { tag_name: tag, draft: false, assets };
  }

  #answerDownload(place: string, response: ServerResponse): void {
    const file = this.#fileAt(place);
    const scripted = this.downloadAnswers.shift();
    if (scripted) scripted(response, file?.content ?? Buffer.alloc(0));
    else if (file) response.end(file.content);
    else response.writeHead(404).end();
  }

  #fileAt(place: string): ServedFile | undefined {
    for (const { repository, tag, files } of this.#releases) {
      for (const [name, file] of Object.entries(files)) {
        if (place === `${repository}/${tag}/${name}`) return servedFile(file);
      }
    }
    return undefined;
  }
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** A file that lists the checksums of others. */
export function checksumsOf(files: Readonly<Record<string, Buffer>>): Buffer {
  const lines = Object.entries(files).map(([name, content]) => `${sha256(content)}  ${name}\n`);
  return Buffer.from(lines.join(''));
}

export const unavailable: Answer = (response) => {
  response.writeHead(503).end();
};

export const rateLimited: Answer = (response) => {
  response.writeHead(403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1800000000' });
  response.end('{"message":"API rate limit exceeded"}');
};

/** Breaks the connection in the middle of the file. */
export const brokenOff: Answer = (response, content) => {
  response.writeHead(200, { 'content-length': String(content.length) });
  response.write(content.subarray(0, content.length >> 1), () => response.destroy());
};

/** Ends in good order, but too early. */
export const cutShort: Answer = (response, content) => {
  response.end(content.subarray(0, content.length >> 1));
};

/** Sends half of the file, tells so, and then nothing any more. */
export function stalledAfterHalf(onHalf: () => void): Answer {
  return (response, content) => {
    response.writeHead(200, { 'content-length': String(content.length) });
    response.write(content.subarray(0, content.length >> 1), onHalf);
  };
}

/** Sends without an end, until nobody listens. */
export const endless: Answer = (response) => {
  const chunk = Buffer.alloc(64 * 1024);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', more);
  more();
};

async function listening(): Promise<Server> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function servedFile(file: Buffer | ServedFile): ServedFile {
  return Buffer.isBuffer(file) ? { content: file } : file;
}

export const toolPackage = 'https://github.com/org/tool@v1.0.0';

/** An eval with an extension from a release, on a machine with nothing in its cache. */
export class ReleaseSuite {
  readonly host: StandInReleaseHost;
  /** Of the eval. */
  readonly folder: string;
  readonly cache: string;
  readonly notices: string[] = [];
  readonly delays: number[] = [];
  readonly environment: NodeJS.ProcessEnv;

  static async make(): Promise<ReleaseSuite> {
    const root = await mkdtemp(path.join(tmpdir(), 'proctor-release-'));
    onLoneTestFinished(() => rm(root, { recursive: true, force: true }));
    const suite = new ReleaseSuite(await StandInReleaseHost.listen(), root);
    await mkdir(suite.folder);
    return suite;
  }

  private constructor(host: StandInReleaseHost, root: string) {
    this.host = host;
    this.folder = path.join(root, 'eval');
    this.cache = path.join(root, 'cache');
    this.environment = { PROCTOR_CACHE_DIR: this.cache, PROCTOR_GITHUB_API_URL: host.apiUrl };
  }

  locate(written = toolPackage, more: Partial<ReleaseProgramOptions> = {}): Promise<string> {
    const { folder } = this;
    return locateProgram(
      { name: 'tool', package: written, config: {}, env: {}, folder },
      {
        environment: this.environment,
        signal: new AbortController().signal,
        onProgress: (message) => this.notices.push(message),
        delay: async (ms) => {
          this.delays.push(ms);
        },
        platform: describePlatform('linux', 'x64'),
        ...more,
      },
    );
  }

  get lockPath(): string {
    return path.join(this.folder, 'proctor.lock.json');
  }

  async lock(): Promise<unknown> {
    return JSON.parse(await readFile(this.lockPath, 'utf8'));
  }

  /** Every file in the cache, by its path there. */
  async cachedFiles(): Promise<string[]> {
    const options = { recursive: true, withFileTypes: true } as const;
    const entries = await readdir(this.cache, options);
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => path.relative(this.cache, path.join(entry.parentPath, entry.name)))
      .sort();
  }
}
