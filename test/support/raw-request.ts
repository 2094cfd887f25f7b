import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** As it is, in place of the one in the address. */
  path?: string;
}

export interface RawResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
  /** The connection broke within the body. */
  isCut: boolean;
}

/** Sends a request over a connection of its own and gives the response when its headers are there. */
export function openRequest(url: string, request: RawRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => start(url, request, resolve, reject));
}

export function sendRequest(url: string, request: RawRequest): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const read = (response: IncomingMessage) => {
      const { statusCode = 0, headers } = response;
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('close', () => {
        const body = Buffer.concat(chunks);
        resolve({ status: statusCode, headers, body, isCut: !response.complete });
      });
    };
    start(url, request, read, reject);
  });
}

function start(
  url: string,
  { method = 'POST', headers = {}, body, path }: RawRequest,
  answered: (response: IncomingMessage) => void,
  failed: (error: Error) => void,
): void {
  const request = http.request(url, {
    method,
    headers,
    agent: false,
    ...(path !== undefined && { path }),
  });
  request.once('response', (response) => {
    // How it ended is seen by `complete`.
    response.on('error', () => {});
    answered(response);
  });
  request.on('error', failed);
  request.end(body);
}
