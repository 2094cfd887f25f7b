import { errorMessage } from '../../base/errors.js';

/** Says to whoever reads the report why it cannot be shown. */
export class UnreadableReport extends Error {
  override name = 'UnreadableReport';
}

export function messageOf(error: unknown): string {
  return errorMessage(error);
}

/** The JSON in a script element: gzip, then base64. */
export async function decodeElement(id: string): Promise<unknown> {
  const text = document.getElementById(id)?.textContent;
  if (!text) throw new UnreadableReport('a part of this report is missing: write it again');
  try {
    const unpacked = new Blob([bytesOf(text.trim())])
      .stream()
      .pipeThrough(new DecompressionStream('gzip'));
    return await new Response(unpacked).json();
  } catch (error) {
    throw new UnreadableReport('a part of this report is damaged: write it again', {
      cause: error,
    });
  }
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let place = 0; place < binary.length; place++) bytes[place] = binary.charCodeAt(place);
  return bytes;
}
