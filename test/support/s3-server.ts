import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BucketPlace } from '../../records/s3/bucket-place';

/** What becomes of a request: it is refused, or its answer is lost after it was carried out, or breaks off, or never comes. */
export type S3Fate = 'fine' | 'lost' | 'broken' | 'silent' | 'busy';

/** Every third answer is lost or breaks off; now and then the store is too busy. */
export function everyThirdAnswerLost(request: number): S3Fate {
  if (request % 3 === 0) return request % 2 === 0 ? 'lost' : 'broken';
  return request % 11 === 0 ? 'busy' : 'fine';
}

interface Options {
  fateOf?: (request: number) => S3Fate;
  /** As older stores do: a condition counts for nothing. */
  ignoresConditions?: boolean;
}

export const S3_KEYS = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'test-secret-that-no-message-shows' };

interface Stored {
  bytes: Buffer;
  putAt: Date;
}

/** Speaks as much of S3 as content needs, in memory: signatures, conditions and errors as Amazon's API reference has them. */
export class S3Server {
  /** Objects by bucket and key. */
  readonly buckets = new Map<string, Map<string, Stored>>();
  readonly requests: string[] = [];
  options: Options = {};
  private made = 0;
  private readonly server: Server = createServer((request, response) => void this.answer(request, response));

  static async start(options: Options = {}): Promise<S3Server> {
    const server = new S3Server();
    server.options = options;
    await new Promise<void>((resolve) => server.server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** A bucket of its own. */
  place(): BucketPlace {
    this.made += 1;
    const bucket = `bucket-${this.made}`;
    this.buckets.set(bucket, new Map());
    return { bucket, prefix: 'thermidor/runs/', endpoint: this.endpoint };
  }

  objectsOf({ bucket }: BucketPlace): Map<string, Stored> {
    return this.buckets.get(bucket) ?? new Map();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    this.requests.push(`${request.method} ${request.url}`);
    const fate = this.options.fateOf?.(this.requests.length) ?? 'fine';
    if (fate === 'silent') return;
    const said = fate === 'busy' ? failure(503, 'SlowDown') : (refusal(request, body) ?? this.carryOut(request, body));
    if (fate === 'lost') return void request.socket.destroy();
    const length = String(said.length ?? said.body.byteLength);
    response.writeHead(said.status, { 'content-length': length, 'x-amz-request-id': '1', ...said.headers });
    if (fate === 'broken') return void response.write(said.body.subarray(0, said.body.byteLength / 2), () => request.socket.destroy());
    response.end(request.method === 'HEAD' ? undefined : said.body);
  }

  private carryOut(request: IncomingMessage, body: Buffer): Said {
    const url = new URL(request.url ?? '/', 'http://host');
    const [, name = '', ...rest] = decodeURIComponent(url.pathname).split('/');
    const [bucket, key] = [this.buckets.get(name), rest.join('/')];
    if (!bucket) return failure(404, 'NoSuchBucket');
    if (url.searchParams.get('list-type') === '2') return list(bucket, url.searchParams);
    const there = bucket.get(key);
    if (request.method === 'PUT') {
      if (request.headers['if-none-match'] === '*' && there && !this.options.ignoresConditions) return failure(412, 'PreconditionFailed');
      bucket.set(key, { bytes: body, putAt: new Date() });
      return { status: 200, body: Buffer.alloc(0), headers: { etag: '"1"' } };
    }
    if (request.method === 'DELETE') {
      bucket.delete(key);
      return { status: 204, body: Buffer.alloc(0) };
    }
    if (!there) return failure(404, 'NoSuchKey');
    const headers = { 'last-modified': there.putAt.toUTCString(), etag: '"1"' };
    return { status: 200, body: there.bytes, headers };
  }
}

interface Said {
  status: number;
  body: Buffer;
  length?: number;
  headers?: Record<string, string>;
}

function failure(status: number, code: string): Said {
  return { status, body: Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`) };
}

const LISTED = 3;

/** A few keys at a time. */
function list(bucket: ReadonlyMap<string, Stored>, asked: URLSearchParams): Said {
  const all = [...bucket.keys()]
    .filter((key) => key.startsWith(asked.get('prefix') ?? '') && key > (asked.get('continuation-token') ?? ''))
    .sort();
  const some = all.slice(0, LISTED);
  const next = all.length > LISTED ? `<NextContinuationToken>${some.at(-1)}</NextContinuationToken>` : '';
  const contents = some.map((key) => `<Contents><Key>${key}</Key>${listed(bucket.get(key))}</Contents>`).join('');
  const isTruncated = `<IsTruncated>${next !== ''}</IsTruncated>`;
  return { status: 200, body: Buffer.from(`<?xml version="1.0"?><ListBucketResult>${isTruncated}${contents}${next}</ListBucketResult>`) };
}

function listed(stored: Stored | undefined): string {
  return stored ? `<LastModified>${stored.putAt.toISOString()}</LastModified><Size>${stored.bytes.byteLength}</Size>` : '';
}

/** Whether the request is signed with the keys, version 4, and its body is what was signed. */
function refusal(request: IncomingMessage, body: Buffer): Said | undefined {
  const [, key, day, region, names, signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]+)$/.exec(
      request.headers.authorization ?? '',
    ) ?? [];
  if (key === undefined || !day || !region || !names) return failure(403, 'AccessDenied');
  if (key !== S3_KEYS.AWS_ACCESS_KEY_ID) return failure(403, 'InvalidAccessKeyId');
  const digest = String(request.headers['x-amz-content-sha256']);
  if (digest !== sha256(body)) return failure(400, 'XAmzContentSHA256Mismatch');
  const url = new URL(request.url ?? '/', 'http://host');
  const query = [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort();
  const headers = names.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`);
  const asked = [request.method, url.pathname, query.join('&'), headers.join(''), names, digest].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', String(request.headers['x-amz-date']), scope, sha256(asked)].join('\n');
  const start: string | Buffer = `AWS4${S3_KEYS.AWS_SECRET_ACCESS_KEY}`;
  const signing = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>((by, part) => hmac(by, part), start);
  return hmac(signing, text).toString('hex') === signature ? undefined : failure(403, 'SignatureDoesNotMatch');
}

function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('hex');
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
