import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import type { BucketPlace } from './bucket-place';
import { bucketFailure, bucketProblem, isAbsent, isPassing, isRefused, isThere } from './bucket-problem';

/** With their pauses three seconds on average: what takes longer is left to the retries of the activity. */
const ATTEMPTS = 10;
const FIRST_PAUSE_MS = 25;
const LONGEST_PAUSE_MS = 640;

const CONNECT_MS = 5_000;
/** Content has at most the limit of artifacts. */
const ANSWER_MS = 30_000;

/** Shows whether conditions are kept; the other is never put. */
const [PROBE, NEVER_PUT] = ['checked', 'never-put'];

/** An object, and when it was put last. */
export interface BucketObject {
  bytes: Buffer;
  putAtMs: number;
}

/** An object as it is listed. */
export interface ListedObject {
  key: string;
  putAtMs: number;
  sizeBytes: number;
}

/**
 * The objects of a bucket by their keys below the prefix. An object is whole or absent, and readers see what was put last. A request may be
 * made twice, because its answer can be lost after the object was put. All fail with `store.unavailable`; absent is only what the store
 * itself calls absent.
 */
export class Bucket {
  private opened: Promise<Opened> | undefined;

  constructor(readonly place: BucketPlace) {}

  /** Returns whether it was put: false if there is an object of that key, which may be from an earlier try. */
  async putIfAbsent(key: string, bytes: Buffer): Promise<boolean> {
    return await this.patiently(async ({ sdk, client }) => {
      try {
        await client.send(new sdk.PutObjectCommand({ ...this.at(key), Body: bytes, IfNoneMatch: '*' }));
        return true;
      } catch (error) {
        if (isThere(error)) return false;
        throw error;
      }
    });
  }

  /** In the place of what is there. */
  async put(key: string, bytes: Buffer): Promise<void> {
    await this.patiently(({ sdk, client }) => client.send(new sdk.PutObjectCommand({ ...this.at(key), Body: bytes })));
  }

  async get(key: string): Promise<BucketObject | undefined> {
    return await this.patiently(async ({ sdk, client }) => {
      try {
        const { Body, ContentLength, LastModified } = await client.send(new sdk.GetObjectCommand(this.at(key)));
        const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
        if (bytes.byteLength !== ContentLength) throw Object.assign(new Error('the answer broke off'), { code: 'ECONNRESET' });
        return { bytes, putAtMs: LastModified?.getTime() ?? 0 };
      } catch (error) {
        if (isAbsent(error)) return undefined;
        throw error;
      }
    });
  }

  async has(key: string): Promise<boolean> {
    return (await this.putAtMs(key)) !== undefined;
  }

  /** When it was put last; undefined if it is absent. */
  async putAtMs(key: string): Promise<number | undefined> {
    const found = await this.patiently(async ({ sdk, client }) => {
      try {
        const { LastModified } = await client.send(new sdk.HeadObjectCommand(this.at(key)));
        return LastModified?.getTime() ?? 0;
      } catch (error) {
        if (isRefused(error)) return undefined;
        throw error;
      }
    });
    // The answer to this question has no body that says why: the object may be missing, or its bucket.
    return found ?? (await this.get(key))?.putAtMs;
  }

  /** One that is absent stays so. */
  async remove(key: string): Promise<void> {
    await this.patiently(({ sdk, client }) => client.send(new sdk.DeleteObjectCommand(this.at(key))));
  }

  /** Those whose keys have this beginning, in the order of their keys. */
  async *objects(beginning: string): AsyncGenerator<ListedObject> {
    const { prefix } = this.place;
    const asked = { ...this.at(beginning) };
    for (let ContinuationToken: string | undefined; ; ) {
      const more = ContinuationToken === undefined ? {} : { ContinuationToken };
      const { Contents = [], NextContinuationToken } = await this.patiently(({ sdk, client }) =>
        client.send(new sdk.ListObjectsV2Command({ Bucket: asked.Bucket, Prefix: asked.Key, ...more })),
      );
      for (const { Key, LastModified, Size } of Contents) {
        if (Key !== undefined) yield { key: Key.slice(prefix.length), putAtMs: LastModified?.getTime() ?? 0, sizeBytes: Size ?? 0 };
      }
      ContinuationToken = NextContinuationToken;
      if (ContinuationToken === undefined) return;
    }
  }

  /** Fails if the bucket cannot be used, or does not do what content needs of it. */
  async check(): Promise<void> {
    const bytes = Buffer.from('Thermidor puts this to see whether the bucket keeps conditions.\n');
    await this.putIfAbsent(PROBE, bytes);
    if (await this.putIfAbsent(PROBE, bytes)) {
      throw bucketFailure(
        this.place,
        'ignores the condition If-None-Match, by which content is put once; use a store that keeps it',
        'CONDITIONS',
      );
    }
    if (!(await this.get(PROBE))?.bytes.equals(bytes))
      throw bucketFailure(this.place, 'gives back something else than was put there', 'READ');
    if (await this.has(NEVER_PUT)) throw bucketFailure(this.place, 'has an object that nobody has put', 'READ');
  }

  /** Ends the connections; the next request opens new ones. */
  async close(): Promise<void> {
    const opened = this.opened;
    this.opened = undefined;
    (await opened)?.client.destroy();
  }

  private at(key: string): { Bucket: string; Key: string } {
    return { Bucket: this.place.bucket, Key: `${this.place.prefix}${key}` };
  }

  private async patiently<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        this.opened ??= open(this.place);
        return await work(await this.opened);
      } catch (error) {
        if (attempt >= ATTEMPTS || !isPassing(error)) throw bucketProblem(this.place, error);
        await sleep(Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1)) * (0.5 + Math.random()));
      }
    }
  }
}

interface Opened {
  sdk: typeof import('@aws-sdk/client-s3');
  client: S3Client;
}

/** The SDK takes a while to load. */
async function open({ endpoint, region }: BucketPlace): Promise<Opened> {
  const sdk = await import('@aws-sdk/client-s3');
  const client = withoutAdvice(
    () =>
      new sdk.S3Client({
        // Stores that are not Amazon's have no host name for each bucket, and any region.
        ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true, region: 'us-east-1' }),
        ...(region === undefined ? {} : { region }),
        maxAttempts: 1,
        requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS, throwOnRequestTimeout: true },
        // Some stores know no trailing checksums; content has a digest of its own.
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      }),
  );
  return { sdk, client };
}

/** The first client says which versions of Node the SDK's next versions need, unless this variable says that nobody wants to know. */
const NO_ADVICE = 'AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED';

/** The variable is there for this call alone: the environment goes on to programs of steps. */
function withoutAdvice<T>(make: () => T): T {
  const before = process.env[NO_ADVICE];
  process.env[NO_ADVICE] = before ?? 'true';
  try {
    return make();
  } finally {
    if (before === undefined) delete process.env[NO_ADVICE];
  }
}
