import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { defined } from '../../../plan/defined';
import { ThermidorFailure } from '../../../plan/run/failure';
import type { WebPage } from '../../tool-ports';

const TEXT_TYPE = /^(text\/.*|application\/(.*\+)?(json|xml|yaml|x-yaml|toml|javascript|ecmascript|x-ndjson|jsonl|sql|graphql|x-sh|rtf))$/;

/** A server's answer: its body, up to the limit, if its type is that of a text. Its socket has ended then. */
export async function readResponseText(url: URL, answer: IncomingMessage, limitBytes: number): Promise<WebPage> {
  const [type = '', ...parameters] = (answer.headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const mediaType = type.toLowerCase();
  const charset = parameters.map((one) => /^charset="?([\w.:-]+)"?$/i.exec(one)?.[1]).find((one) => one !== undefined);
  const page = { url: url.href, status: answer.statusCode ?? 0, mediaType, ...defined({ charset }) };
  try {
    // Without a type, its content decides.
    if (mediaType !== '' && !TEXT_TYPE.test(mediaType)) return { ...page, isCut: false };
    return { ...page, ...(await bodyOf(answer, limitBytes)) };
  } finally {
    answer.destroy();
  }
}

async function bodyOf(answer: IncomingMessage, limitBytes: number): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  // Counted after unpacking, so a small answer that unpacks to a large one is cut too.
  for await (const chunk of unpacked(answer)) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    chunks.push(bytes);
    sizeBytes += bytes.byteLength;
    if (sizeBytes > limitBytes) return { body: Buffer.concat(chunks).subarray(0, limitBytes), isCut: true };
  }
  return { body: Buffer.concat(chunks), isCut: false };
}

/** Some servers compress unasked. */
function unpacked(answer: IncomingMessage): Readable {
  const coding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  // Errors in either stream are thrown where the last one is read.
  const through = (stream: Duplex): Readable => pipeline(answer, stream, () => undefined);
  switch (coding) {
    case '':
    case 'identity':
      return answer;
    case 'gzip':
    case 'x-gzip':
      return through(createGunzip());
    case 'deflate':
      return through(createInflate());
    case 'br':
      return through(createBrotliDecompress());
    default:
      throw new ThermidorFailure('tool.failed', 'the server answers with a content encoding that is not supported here');
  }
}
