import { chmodSync, existsSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { gitFailed, problemOf } from '../../activities/adapters/git/failures';
import { commitOn, never, newGit, newRepository, scratchFolder, sh } from './scene';

describe('what git says is read as what it is, and as the network only if it may come back', () => {
  it.each<[said: string, problem: string]>([
    ["error: external filter 'git-lfs clean -- %f' failed 127\nfatal: big.bin: clean filter 'lfs' failed", 'program-missing'],
    ['git-lfs filter-process: 1: git-lfs: not found\nfatal: the remote end hung up unexpectedly', 'program-missing'],
    ['sh: git-lfs: command not found\nfatal: the remote end hung up unexpectedly', 'program-missing'],
    ["error: initialization for subprocess 'git-lfs filter-process' failed", 'program-missing'],
    ["fatal: a.txt: smudge filter 'crypt' failed", 'program-missing'],
    ['error: cannot run ssh: No such file or directory\nfatal: unable to fork', 'program-missing'],
    ["fatal: Unable to find remote helper for 'https'", 'program-missing'],
    ["fatal: unable to access 'https://x.org/a.git/': The requested URL returned error: 404", 'not-a-repository'],
    ["fatal: unable to access 'https://x.org/a.git/': The requested URL returned error: 403", 'unauthorised'],
    ["fatal: unable to access 'https://x.org/a.git/': SSL certificate problem: self-signed certificate", 'untrusted'],
    ["fatal: unable to access 'https://x.org/a.git/': server certificate verification failed. CAfile: none CRLfile: none", 'untrusted'],
    ["fatal: unable to access 'https://x.org:port/': URL rejected: Port number was not a decimal number", 'invalid-url'],
    ["fatal: unable to access '/srv/a/.git/config': Permission denied", 'failed'],
    ['remote: aborting due to possible repository corruption on the remote side.\nfatal: early EOF\nfatal: index-pack failed', 'corrupt'],
    ['remote: fatal: pack exceeds maximum allowed size\nfatal: the remote end hung up unexpectedly', 'push-refused'],
    ['remote: hooks/pre-receive: line 3: lint: command not found\n ! [remote rejected] a -> b (pre-receive hook declined)', 'push-refused'],
    [' ! [remote rejected] a -> b (no)\nfatal: the remote end hung up unexpectedly', 'push-refused'],
    ["fatal: 'x' does not appear to be a git repository\nfatal: the remote end hung up unexpectedly", 'not-a-repository'],
    ['error: write error: No space left on device\nfatal: the remote end hung up unexpectedly', 'disk-full'],
    ["fatal: unable to access 'https://x.org/a.git/': The requested URL returned error: 503", 'unreachable'],
    ["fatal: unable to access 'https://x.org/a.git/': Could not resolve host: x.org", 'unreachable'],
    ['ssh: connect to host x.org port 22: Connection refused\nfatal: Could not read from remote repository.', 'unreachable'],
    ['error: RPC failed; curl 56 GnuTLS recv error\nfatal: early EOF', 'unreachable'],
    ['fatal: the remote end hung up unexpectedly', 'unreachable'],
  ])('%s', (said, problem) => {
    expect(problemOf(gitFailed('git x', { code: 128 }, said))).toBe(problem);
  });
});

describe('a checkout with files of LFS, whose index is not fresh', () => {
  const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'4'.repeat(64)}\nsize 12345\n`;
  const FILES = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n', 'big.bin': POINTER, 'a.txt': 'a\n' };

  /** The PATH of a machine without git-lfs. */
  const WITHOUT_LFS = (process.env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => !existsSync(join(folder, 'git-lfs')))
    .join(delimiter);

  async function checkout(path: string) {
    const git = newGit({ environment: { ...process.env, PATH: path } });
    const folder = newRepository(FILES);
    const settings = { process: 'git-lfs filter-process', clean: 'git-lfs clean -- %f', smudge: 'git-lfs smudge -- %f', required: 'true' };
    const from = sh(folder, 'rev-parse', 'HEAD');
    const to = commitOn(folder, from, { 'big.bin': POINTER.replace('12345', '1'), 'b.txt': 'b\n' });
    for (const [key, value] of Object.entries(settings)) sh(folder, 'config', `filter.lfs.${key}`, value);
    utimesSync(join(folder, 'big.bin'), new Date(1_600_000_000_000), new Date(1_600_000_000_000));
    return { git, folder, from, to, repository: await git.repositories.open(folder, never) };
  }

  it('is clean, and a branch that is checked out there moves, if git-lfs is not installed', async () => {
    const { git, folder, repository, from, to } = await checkout(WITHOUT_LFS);
    const { problems } = await git.repositories.examine(repository, undefined, never);
    expect(problems.map(({ problem }) => problem)).toEqual(['lfs']);
    expect(await git.refs.advance(repository, { ref: 'refs/heads/main', from, to }, never)).toEqual({ kind: 'moved' });
    expect(sh(folder, 'show', 'HEAD:b.txt')).toBe('b');
  });

  it('fails with the name of git-lfs, and not as a network, if that does not run', async () => {
    const bin = scratchFolder();
    writeFileSync(join(bin, 'git-lfs'), '#!/bin/sh\necho broken >&2\nexit 1\n');
    chmodSync(join(bin, 'git-lfs'), 0o755);
    const { git, repository } = await checkout(`${bin}${delimiter}${process.env['PATH']}`);
    await expect(git.repositories.examine(repository, undefined, never)).rejects.toMatchObject({
      code: 'repository.unusable',
      message: expect.stringContaining('git-lfs'),
    });
  });
});
