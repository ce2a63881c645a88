import { ArtifactObjects } from '../../records/s3/artifact-objects';
import { Bucket } from '../../records/s3/bucket';
import { type BucketPlace, bucketPlace, shownBucket } from '../../records/s3/bucket-place';
import { removalsOf } from '../../records/s3/bucket-removals';
import { OldObjects } from '../../records/s3/old-objects';
import { codeOf } from '../activities/workshop';
import { S3_KEYS, S3Server } from '../support/s3-server';
import { sweepCount } from '../support/sweep';

const TEXT = { mediaType: 'text/plain' };
const HOUR_MS = 3_600_000;

let server: S3Server;
beforeAll(async () => {
  server = await S3Server.start();
});
afterAll(() => server.stop());
beforeEach(() => {
  server.options = {};
  Object.assign(process.env, S3_KEYS);
});
afterEach(() => {
  for (const name of Object.keys(S3_KEYS)) delete process.env[name];
});

function opened(place: BucketPlace = server.place()) {
  const bucket = new Bucket(place);
  return { place, bucket, artifacts: new ArtifactObjects(bucket), only: () => [...server.objectsOf(place)][0] };
}

test('an address names bucket, folders, and another store’s endpoint and region; nothing else', () => {
  expect(bucketPlace('s3://runs')).toEqual({ bucket: 'runs', prefix: '' });
  expect(bucketPlace('s3://runs/a/b/')).toEqual({ bucket: 'runs', prefix: 'a/b/' });
  const other = bucketPlace('s3://runs/a?endpoint=https://minio.lan:9000&region=lab');
  expect(other).toEqual({ bucket: 'runs', prefix: 'a/', endpoint: 'https://minio.lan:9000', region: 'lab' });
  expect(other && shownBucket(other)).toBe('s3://runs/a/ at minio.lan:9000');
  const wrong = [
    'https://runs',
    's3://',
    's3://R',
    's3://key:secret@runs',
    's3://runs:80',
    's3://runs/ü',
    's3://runs#a',
    's3://runs?key=x',
  ];
  for (const text of [...wrong, 's3://runs?endpoint=minio', 's3://runs?endpoint=https://a:b@minio'])
    expect(bucketPlace(text)).toBeUndefined();
});

test('the SDK’s advice on versions of Node is not printed, and leaves nothing in the environment of programs', async () => {
  const advice = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
  await opened().artifacts.put('first', TEXT);
  expect(advice).not.toHaveBeenCalled();
  expect(Object.keys(process.env).filter((name) => name.includes('WARNING_DISABLED'))).toEqual([]);
  advice.mockRestore();
});

test('content is put once, by a condition, under its digest', async () => {
  const { place, artifacts } = opened();
  const refs = await Promise.all(Array.from({ length: 10 }, () => artifacts.put('same', TEXT)));
  const { sha256 = '' } = refs[0] ?? {};
  expect([...server.objectsOf(place).keys()]).toEqual([`thermidor/runs/output/${sha256.slice(0, 2)}/${sha256}`]);
});

test('what is put again becomes young again, and is repaired if it is damaged', async () => {
  const { artifacts, only } = opened();
  const ref = await artifacts.put('one', TEXT);
  const [, object] = only() ?? [];
  if (!object) throw new Error('nothing was put');
  object.putAt = new Date(Date.now() - HOUR_MS / 2);
  await artifacts.put('one', TEXT);
  expect(only()?.[1]).toBe(object);
  object.putAt = new Date(Date.now() - 2 * HOUR_MS);
  await artifacts.put('one', TEXT);
  expect(Date.now() - (only()?.[1].putAt.getTime() ?? 0)).toBeLessThan(HOUR_MS);
  const young = only()?.[1];
  if (young) young.bytes = Buffer.from('two');
  await expect(artifacts.get(ref)).rejects.toMatchObject({ code: 'artifact.missing', message: expect.stringContaining('damaged') });
  await artifacts.put('one', TEXT);
  expect((await artifacts.get(ref)).toString()).toBe('one');
});

test('a bucket that keeps conditions is fine, and one that ignores them is refused', async () => {
  const { bucket } = opened();
  for (let time = 0; time < 2; time += 1) await expect(bucket.check()).resolves.toBeUndefined();
  server.options = { ignoresConditions: true };
  await expect(opened().bucket.check()).rejects.toMatchObject({
    code: 'store.unavailable',
    message: expect.stringMatching(
      /^the bucket s3:\/\/bucket-\d+\/thermidor\/runs\/ at 127\.0\.0\.1:\d+ ignores the condition If-None-Match/,
    ),
  });
});

const SHA = 'a'.repeat(64);
test.each<[string, () => BucketPlace, RegExp]>([
  ['its bucket is missing', () => ({ ...server.place(), bucket: 'nosuch' }), /there is no such bucket/],
  [
    'the secret is wrong',
    () => {
      process.env['AWS_SECRET_ACCESS_KEY'] = 'wrong-secret';
      return server.place();
    },
    /its credentials are wrong/,
  ],
  [
    'the key is not known',
    () => {
      process.env['AWS_ACCESS_KEY_ID'] = 'nobody';
      return server.place();
    },
    /credentials are not known/,
  ],
  ['it is busy', () => withFate('busy'), /takes no more requests now/],
  ['answers are lost', () => withFate('lost'), /the connection broke/],
  ['nothing listens', () => ({ ...server.place(), endpoint: 'http://127.0.0.1:1' }), /nothing listens there/],
])('if %s, the store is unavailable, and nothing is absent', async (_, placeOf, says) => {
  const { artifacts, bucket } = opened(placeOf());
  const asked = [artifacts.get({ sha256: SHA }), artifacts.has({ sha256: SHA }), artifacts.put('x', TEXT), bucket.check()];
  for (const one of await Promise.allSettled(asked)) {
    expect(one).toMatchObject({ reason: { code: 'store.unavailable', message: expect.stringMatching(says) } });
    expect(JSON.stringify(one)).not.toMatch(/secret|test-key/);
  }
});

function withFate(fate: 'busy' | 'lost'): BucketPlace {
  server.options = { fateOf: () => fate };
  return server.place();
}

test('an answer that is lost or breaks off on the way is asked for again', async () => {
  const { artifacts } = opened();
  const bytes = Buffer.alloc(100_000, 'xyz');
  for (const fates of [['lost'], ['broken'], ['busy', 'lost', 'broken', 'busy']] as const) {
    const since = server.requests.length;
    server.options = { fateOf: (request) => fates[request - since - 1] ?? 'fine' };
    const ref = await artifacts.put(bytes, TEXT);
    const then = server.requests.length;
    server.options = { fateOf: (request) => fates[request - then - 1] ?? 'fine' };
    expect((await artifacts.get(ref)).equals(bytes)).toBe(true);
  }
  expect(await codeOf(artifacts.get({ sha256: SHA }))).toBe('artifact.missing');
});

const QUICK = { settleMs: 60, lookMs: 20, pollMs: 5, deadMs: 400 };

/** Buckets of several processes at one place; all that is there is made old. */
function processesAt(place: BucketPlace, count: number) {
  return Array.from({ length: count }, () => {
    const bucket = new Bucket(place);
    removalsOf(bucket, QUICK);
    return { bucket, artifacts: new ArtifactObjects(bucket), old: new OldObjects(bucket, QUICK) };
  });
}

function age(place: BucketPlace): void {
  for (const object of server.objectsOf(place).values()) object.putAt = new Date(object.putAt.getTime() - 40 * 24 * HOUR_MS);
}

async function removeOld({ old }: ReturnType<typeof processesAt>[number]): Promise<number> {
  let count = 0;
  await old.during(async () => {
    const beforeMs = Date.now() - 30 * 24 * HOUR_MS;
    for await (const page of old.before(beforeMs)) count += (await old.remove(page, beforeMs, false)).count;
  });
  return count;
}

test('old objects are removed, and those that were put since are not', async () => {
  const place = server.place();
  const [one] = processesAt(place, 1);
  if (!one) throw new Error('no process');
  const gone = await one.artifacts.put('old', TEXT);
  age(place);
  const kept = await one.artifacts.put('young', TEXT);
  expect([await removeOld(one), await one.artifacts.has(gone), await one.artifacts.has(kept)]).toEqual([1, false, true]);
  expect(await one.old.amount()).toEqual({ count: 1, bytes: 5 });
  expect([...server.objectsOf(place).keys()].filter((key) => key.endsWith('removing'))).toEqual([]);
});

test('what a process puts while another removes it is there when both are done', async () => {
  for (let round = 1; round <= sweepCount(4, 200); round += 1) {
    const place = server.place();
    const [remover, ...putters] = processesAt(place, 4);
    if (!remover) throw new Error('no process');
    const texts = Array.from({ length: 8 }, (_one, n) => `content ${n}`);
    for (const text of texts) await remover.artifacts.put(text, TEXT);
    age(place);
    const removed = removeOld(remover);
    const refs = await Promise.all(
      texts.map(async (text, n) => {
        await new Promise((resolve) => setTimeout(resolve, 40 + ((round * 13 + n * 7) % 50)));
        return await putters[n % putters.length]?.artifacts.put(text, TEXT);
      }),
    );
    await removed;
    for (const ref of refs) expect(ref && (await remover.artifacts.has(ref))).toBe(true);
  }
});

test('a removal that was killed delays a put of what it has named, and the next removal goes on', async () => {
  const place = server.place();
  const [dead, other] = processesAt(place, 2);
  if (!dead || !other) throw new Error('no process');
  const ref = await dead.artifacts.put('old', TEXT);
  const key = [...server.objectsOf(place).keys()].map((one) => one.slice(place.prefix.length));
  age(place);
  await dead.bucket.put('removing', Buffer.from(JSON.stringify(key)));
  await other.artifacts.put('old', TEXT);
  expect(await other.artifacts.has(ref)).toBe(true);
  age(place);
  expect([await removeOld(other), await other.artifacts.has(ref)]).toEqual([1, false]);
});
