import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GitSettings } from '../../activities/adapters/git/git';
import { type HttpRemote, serveHttp } from './http-remote';
import { commitOn, never, newGit, newRepository, problemOf, scene, scratchFolder, sh, write } from './scene';
import { hasSshd, type SshRemote, serveSsh } from './ssh-remote';

const REF = 'refs/thermidor/run-1/task/1';

/** A bare repository in a folder of its own, with one commit, to which everybody may push. */
function newOrigin(folder = scratchFolder()): string {
  const origin = join(folder, 'origin.git');
  sh('/', 'clone', '--quiet', '--bare', newRepository(), origin);
  sh(origin, 'config', 'http.receivepack', 'true');
  return origin;
}

/** A replacement for ssh that logs its arguments and runs the command on this host. */
function localSsh(): { sshCommand: string; log: string } {
  const folder = scratchFolder();
  const log = join(folder, 'log');
  const program = join(folder, 'ssh');
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${log}'\nfor last; do :; done\nexec sh -c "$last"\n`, { mode: 0o755 });
  return { sshCommand: `${program} -o BatchMode=yes`, log };
}

interface Way {
  url(path: string): string;
  settings: Partial<GitSettings>;
}

let http: HttpRemote | undefined;
let ssh: SshRemote | undefined;
afterAll(async () => {
  await http?.close();
  await ssh?.close();
});

const WAYS: Record<string, () => Promise<Way>> = {
  'a path': async () => ({ url: (path) => path, settings: {} }),
  'file://': async () => ({ url: (path) => `file://${path}`, settings: {} }),
  'http://': async () => {
    http ??= await serveHttp('/');
    const { url } = http;
    return { url: (path) => url + path, settings: {} };
  },
  'ssh://, by a program in its place': async () => ({
    url: (path) => `ssh://ada@example.org${path}`,
    settings: { sshCommand: localSsh().sshCommand },
  }),
  'user@host:path, by a program in its place': async () => ({
    url: (path) => `ada@example.org:${path}`,
    settings: { sshCommand: localSsh().sshCommand },
  }),
  // Debian: apt-get install openssh-server, mkdir /run/sshd.
  ...(hasSshd
    ? {
        'ssh://, by sshd': async () => {
          ssh ??= await serveSsh();
          const { url, sshCommand } = ssh;
          return { url: (path: string) => url + path, settings: { sshCommand } };
        },
      }
    : {}),
};

describe.each(Object.keys(WAYS))('a remote by %s', (name) => {
  it('is listed, fetched, pushed to and cloned', async () => {
    const way = await WAYS[name]?.();
    if (!way) throw new Error(name);
    const origin = newOrigin();
    const url = way.url(origin);
    const git = newGit(way.settings);
    const repository = await git.repositories.clone(url, join(scratchFolder(), 'clone'), {}, never);
    const head = await git.repositories.resolve(repository, 'HEAD', never);
    const next = commitOn(repository.gitDir, head, { 'b.txt': 'b' });
    const swap = (from: string | undefined, to: string | undefined, ref = REF) =>
      git.remotes.compareAndSwap(repository, url, { ref, from, to }, never);
    expect(await git.remotes.defaultBranch(url, never)).toBe('main');
    expect(await git.remotes.list(url, 'refs/heads/', never)).toEqual([{ name: 'refs/heads/main', id: head }]);
    expect(await swap(undefined, head)).toEqual({ kind: 'moved' });
    expect(await swap(undefined, head)).toEqual({ kind: 'already' });
    expect(await swap(undefined, next)).toEqual({ kind: 'stale', actual: head });
    expect(await swap(head, next)).toEqual({ kind: 'moved' });
    // This move is not a fast-forward.
    expect(await swap(next, head)).toEqual({ kind: 'moved' });
    expect(await swap(next, undefined)).toEqual({ kind: 'stale', actual: head });
    expect(await git.remotes.list(url, 'refs/thermidor/', never)).toEqual([{ name: REF, id: head }]);
    const other = await git.repositories.open(newRepository({ other: '1' }), never);
    await git.remotes.fetch(
      other,
      url,
      [
        { from: REF, to: 'refs/thermidor/fetched' },
        { from: 'refs/heads/*', to: 'refs/remotes/origin/*' },
      ],
      never,
    );
    expect(await git.refs.read(other, 'refs/thermidor/fetched', never)).toBe(head);
    expect(await git.refs.read(other, 'refs/remotes/origin/main', never)).toBe(head);
    expect(await swap(head, undefined)).toEqual({ kind: 'moved' });
    expect(await swap(head, undefined)).toEqual({ kind: 'already' });
    expect(await swap(undefined, undefined)).toEqual({ kind: 'already' });
    expect(await problemOf(git.remotes.fetch(other, url, [{ from: REF, to: REF }], never))).toBe('repository.unusable/base-missing');
    expect(await git.remotes.url(repository, 'origin', never)).toBe(url);
  });
});

describe('a swap on a remote', () => {
  it('is won by exactly one of many at once', async () => {
    const origin = newOrigin();
    const git = newGit();
    const clones = await Promise.all(
      [1, 2, 3, 4].map((n) => git.repositories.clone(origin, join(scratchFolder(), `clone${n}`), {}, never)),
    );
    const results = await Promise.all(
      clones.map(async (clone, n) => {
        const from = await git.repositories.resolve(clone, 'HEAD', never);
        const to = commitOn(clone.gitDir, from, { n: `${n}` });
        return { to, ...(await git.remotes.compareAndSwap(clone, origin, { ref: 'refs/heads/main', from, to }, never)) };
      }),
    );
    const winners = results.filter(({ kind }) => kind === 'moved');
    expect(winners).toHaveLength(1);
    expect(sh(origin, 'rev-parse', 'main')).toBe(winners[0]?.to);
    for (const { kind } of results) expect(['moved', 'stale']).toContain(kind);
  });

  it('that the remote’s rules refuse fails with what they say, and moves nothing', async () => {
    const origin = newOrigin();
    write(origin, { 'hooks/pre-receive': '#!/bin/sh\necho not on a Sunday >&2\nexit 1\n' });
    chmodSync(join(origin, 'hooks/pre-receive'), 0o755);
    const { git, repository, head } = await scene();
    const push = git.remotes.compareAndSwap(repository, origin, { ref: REF, from: undefined, to: head }, never);
    await expect(push).rejects.toMatchObject({ code: 'repository.refused', message: expect.stringContaining('hook declined') });
    expect(await git.remotes.list(origin, 'refs/thermidor/', never)).toEqual([]);
  });

  it('does not move a branch that is checked out on the other side', async () => {
    const other = newRepository();
    const { git, repository, folder, head } = await scene();
    const to = commitOn(folder, head, { b: '1' });
    const push = git.remotes.compareAndSwap(repository, other, { ref: 'refs/heads/main', from: sh(other, 'rev-parse', 'main'), to }, never);
    expect(await problemOf(push)).toBe('repository.refused/push-refused');
    expect(sh(other, 'status', '--porcelain')).toBe('');
  });

  it('whose answer is lost is found done', async () => {
    const origin = newOrigin();
    const { git, repository, head } = await scene();
    // The receiver dies after the refs have moved.
    write(origin, { 'hooks/post-receive': '#!/bin/sh\nkill -9 $PPID\n' });
    chmodSync(join(origin, 'hooks/post-receive'), 0o755);
    const result = await git.remotes.compareAndSwap(repository, origin, { ref: REF, from: undefined, to: head }, never);
    expect(['moved', 'already']).toContain(result.kind);
    expect(sh(origin, 'rev-parse', REF)).toBe(head);
  });
});

describe('credentials', () => {
  it('that a person would have to type fail at once; those that are set up are used', async () => {
    const folder = scratchFolder();
    const origin = newOrigin(folder);
    const server = await serveHttp(folder, { password: 'pass word' });
    try {
      const url = `${server.url}/origin.git`;
      // These programs would ask for a password and wait.
      const environment = { ...process.env, GIT_ASKPASS: 'sleep', SSH_ASKPASS: 'sleep', DISPLAY: ':0' };
      expect(await problemOf(newGit({ environment }).remotes.list(url, 'refs/heads/', never))).toBe('repository.refused/unauthorised');
      const home = scratchFolder();
      write(home, { '.netrc': 'machine 127.0.0.1 login ada password "pass word"\n' });
      const list = [{ name: 'refs/heads/main', id: sh(origin, 'rev-parse', 'main') }];
      expect(await newGit({ environment: { ...process.env, HOME: home } }).remotes.list(url, 'refs/heads/', never)).toEqual(list);
      const configFile = join(home, 'gitconfig');
      write(home, { gitconfig: '[credential]\n\thelper = "!f() { echo username=ada; echo \'password=pass word\'; }; f"\n' });
      expect(await newGit({ configFile }).remotes.list(url, 'refs/heads/', never)).toEqual(list);
      expect(await problemOf(newGit().remotes.list(url.replace('//', '//ada:wrong@'), 'refs/heads/', never))).toBe(
        'repository.refused/unauthorised',
      );
    } finally {
      await server.close();
    }
  });

  it('of ssh never lead to a question', async () => {
    const { log } = localSsh();
    const program = join(log, '../ssh');
    const environment = { ...process.env, PATH: `${join(log, '..')}:${process.env['PATH']}`, GIT_SSH_COMMAND: 'false', GIT_SSH: 'false' };
    const origin = newOrigin();
    await newGit({ environment }).remotes.list(`ssh://ada@example.org:2222${origin}`, 'refs/heads/', never);
    expect(readFileSync(log, 'utf8')).toMatch(/-o BatchMode=yes .*-p 2222 ada@example\.org git-upload-pack/);
    writeFileSync(program, '#!/bin/sh\necho "Host key verification failed." >&2\nexit 255\n');
    expect(await problemOf(newGit({ environment }).remotes.list('ssh://example.org/x', 'refs/heads/', never))).toBe(
      'repository.refused/unknown-host',
    );
    writeFileSync(program, '#!/bin/sh\necho "ada@example.org: Permission denied (publickey)." >&2\nexit 255\n');
    expect(await problemOf(newGit({ environment }).remotes.list('ssh://example.org/x', 'refs/heads/', never))).toBe(
      'repository.refused/unauthorised',
    );
  });
});

describe('a remote', () => {
  it('fails with one problem if it does not answer, and with another if it is no repository', async () => {
    const git = newGit();
    const server = await serveHttp(scratchFolder());
    await server.close();
    expect(await problemOf(git.remotes.list(`${server.url}/x.git`, 'refs/heads/', never))).toBe('repository.unreachable/unreachable');
    expect(await problemOf(git.remotes.list(scratchFolder(), 'refs/heads/', never))).toBe('repository.unusable/not-a-repository');
  });

  it('is read as its URL says: programs and refs that the repository’s own configuration names for it do not count', async () => {
    const origin = newOrigin();
    const { git, repository, folder, head } = await scene();
    const proof = join(scratchFolder(), 'proof');
    mkdirSync(proof);
    sh(folder, 'remote', 'add', 'origin', origin);
    for (const [key, value] of [
      ['remote.origin.uploadpack', `touch ${proof}/upload; git-upload-pack`],
      ['remote.origin.receivepack', `touch ${proof}/receive; git-receive-pack`],
      ['remote.origin.mirror', 'true'],
      ['push.followTags', 'true'],
      ['core.sshCommand', `touch ${proof}/ssh`],
      ['core.askPass', `touch ${proof}/ask`],
    ]) {
      sh(folder, 'config', key ?? '', value ?? '');
    }
    sh(folder, 'tag', '-a', '-m', 'x', 'v1');
    const url = (await git.remotes.url(repository, 'origin', never)) ?? '';
    expect(await git.remotes.compareAndSwap(repository, url, { ref: REF, from: undefined, to: head }, never)).toEqual({ kind: 'moved' });
    await git.remotes.fetch(repository, url, [{ from: 'refs/heads/main', to: 'refs/remotes/origin/main' }], never);
    expect((await git.remotes.list(url, 'refs/', never)).map(({ name }) => name)).toEqual(['refs/heads/main', REF]);
    // If git's settings rewrite a URL to a forbidden protocol, it is refused.
    sh(folder, 'config', `url.ext::sh -c touch% ${proof}/ext.insteadOf`, 'https://example.org/');
    await expect(git.remotes.fetch(repository, 'https://example.org/x', [{ from: REF, to: REF }], never)).rejects.toMatchObject({
      code: 'git.failed',
    });
    expect(readdirSync(proof)).toEqual([]);
  });
});
