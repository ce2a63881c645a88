import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rewriteCommit } from '../../activities/adapters/git/rebase';
import type { Merged } from '../../activities/git-model';
import { sweep } from '../support/sweep';
import { commit, commitOn, ENVIRONMENT, never, newGit, SIGNATURE, scene, scratchFolder, sh, write } from './scene';

/** A git that claims to be older, and refuses the options that the older version lacked. */
function olderGit(): Record<string, string> {
  const folder = scratchFolder();
  const real = sh('/', '--exec-path');
  const script = `#!/bin/sh
[ "$1" = version ] && { echo git version 2.34.1; exit 0; }
[ "$1" = merge-tree ] && { echo usage >&2; exit 129; }
exec "${real}/git" "$@"
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return { ...process.env, PATH: `${folder}:${process.env['PATH']}` };
}

/** A squash is a merge whose commit has one parent. */
const STRATEGIES = sweep(['merge', 'squash', 'rebase'] as const, 2);
const message = 'Merge it\n';

describe.each([
  ['in memory', process.env],
  ['in a scratch folder, for a git that cannot do it in memory', olderGit()],
])('a merge %s', (_, environment) => {
  const scratch = scratchFolder();
  const here = async (files?: Record<string, string>) => ({ ...(await scene(files)), git: newGit({ environment, scratch }) });
  const list = (text: string, line: number, word: string) =>
    text
      .split('\n')
      .map((old, n) => (n === line ? word : old))
      .join('\n');
  const TEN = Array.from({ length: 10 }, (_, n) => `line ${n}`).join('\n');

  afterEach(() => expect(readdirSync(scratch)).toEqual([]));

  it.each(STRATEGIES)('joins what both have done, and touches neither refs nor files: %s', async (strategy) => {
    const { git, repository, folder, head } = await here({ 'a.txt': TEN, 'moved/x.txt': 'x\n'.repeat(9) });
    const middle = commitOn(folder, head, { 'a.txt': list(TEN, 8, 'theirs') }, 'one of two');
    const candidate = commitOn(folder, middle, { 'b.txt': 'b' }, 'two of two');
    const onto = commitOn(folder, head, { 'a.txt': list(TEN, 1, 'ours') });
    const refs = sh(folder, 'for-each-ref');
    const merged = await git.merges.merge(repository, { onto, candidate, strategy, message, signature: SIGNATURE }, never);
    expect(merged.kind).toBe('merged');
    if (merged.kind !== 'merged') return;
    expect(sh(folder, 'show', `${merged.commit}:a.txt`)).toBe(list(list(TEN, 1, 'ours'), 8, 'theirs'));
    expect(sh(folder, 'rev-parse', `${merged.commit}^{tree}`)).toBe(merged.tree);
    const log = sh(folder, 'log', '--format=%s|%an|%cn|%P', `${onto}..${merged.commit}`).split('\n');
    const expected = {
      merge: [`Merge it|Ada|Ada|${onto} ${candidate}`, `two of two|Bob|Bob|${middle}`, `one of two|Bob|Bob|${head}`],
      squash: [`Merge it|Ada|Ada|${onto}`],
      rebase: [`two of two|Bob|Ada|${sh(folder, 'rev-parse', `${merged.commit}^`)}`, `one of two|Bob|Ada|${onto}`],
    };
    expect(log).toEqual(expected[strategy]);
    expect(await git.merges.merge(repository, { onto, candidate, strategy, message, signature: SIGNATURE }, never)).toEqual(merged);
    expect(sh(folder, 'for-each-ref')).toBe(refs);
    expect(sh(folder, 'status', '--porcelain')).toBe('');
    sh(folder, 'fsck', '--strict', merged.commit);
  });

  it.each(STRATEGIES)('has conflicts as paths in bytes with their stages: %s', async (strategy) => {
    const { git, repository, folder, head } = await here({ 'a.txt': 'base\n', 'kept.txt': 'k' });
    const candidate = commitOn(folder, head, { 'a.txt': 'theirs\n', 'two\nlines': 'theirs' });
    const onto = commitOn(folder, head, { 'a.txt': 'ours\n', 'two\nlines': 'ours', 'kept.txt': 'K' });
    const merged = await git.merges.merge(repository, { onto, candidate, strategy, message, signature: SIGNATURE }, never);
    const id = (at: string, path: string) => sh(folder, 'rev-parse', `${at}:${path}`);
    const stage = (n: number, at: string, path: string) => ({ stage: n, mode: '100644', id: id(at, path) });
    expect(merged).toEqual({
      kind: 'conflict',
      at: candidate,
      conflicts: [
        { path: Buffer.from('a.txt'), stages: [stage(1, head, 'a.txt'), stage(2, onto, 'a.txt'), stage(3, candidate, 'a.txt')] },
        { path: Buffer.from('two\nlines'), stages: [stage(2, onto, 'two\nlines'), stage(3, candidate, 'two\nlines')] },
      ],
    });
  });

  it.each(STRATEGIES)('is nothing if the target has it already: %s', async (strategy) => {
    const { git, repository, folder, head } = await here();
    const candidate = commitOn(folder, head, { 'b.txt': 'b' });
    const onto = commitOn(folder, candidate, { 'c.txt': 'c' });
    const same = commitOn(folder, head, { 'b.txt': 'b' }, 'the same change');
    const already: Merged = { kind: 'already', commit: onto, tree: sh(folder, 'rev-parse', `${onto}^{tree}`) };
    for (const one of [candidate, onto, same]) {
      expect(await git.merges.merge(repository, { onto, candidate: one, strategy, message, signature: SIGNATURE }, never)).toEqual(already);
    }
  });

  it.each(STRATEGIES)('is refused if the author has begun a history of their own: %s', async (strategy) => {
    const { git, repository, folder, head } = await here();
    const candidate = sh(folder, 'commit-tree', '-m', 'root', `${head}^{tree}`);
    expect(await git.merges.merge(repository, { onto: head, candidate, strategy, message, signature: SIGNATURE }, never)).toEqual({
      kind: 'unrelated',
    });
  });

  it('takes a rename on one side and a change on the other', async () => {
    const { git, repository, folder, head } = await here({ 'old.txt': TEN });
    sh(folder, 'mv', 'old.txt', 'new.txt');
    const onto = commit(folder, 'rename');
    const candidate = commitOn(folder, head, { 'old.txt': list(TEN, 5, 'theirs') });
    const merged = await git.merges.merge(repository, { onto, candidate, strategy: 'merge', message, signature: SIGNATURE }, never);
    expect(merged.kind === 'merged' && sh(folder, 'ls-tree', '--name-only', merged.tree)).toBe('new.txt');
  });

  it.each(STRATEGIES)('merges as the attributes of the target say, whatever is checked out: %s', async (strategy) => {
    const { git, repository, folder, head } = await here({ 'log.md': 'first\n' });
    const onto = commitOn(folder, head, { '.gitattributes': 'log.md merge=union\n', 'log.md': 'first\nours\n', 'deep/.gitattributes': '' });
    const candidate = commitOn(folder, head, { 'log.md': 'first\ntheirs\n' });
    const request = { onto, candidate, strategy, message, signature: SIGNATURE };
    const merged = await git.merges.merge(repository, request, never);
    expect(merged.kind === 'merged' && sh(folder, 'show', `${merged.commit}:log.md`)).toBe('first\nours\ntheirs');
    write(folder, { '.gitattributes': 'log.md merge=binary\n' });
    sh(folder, 'add', '--all');
    expect(await git.merges.merge(repository, request, never)).toEqual(merged);
  });

  it('takes a history in which each has merged the other', async () => {
    const { git, repository, folder, head } = await here({ 'a.txt': TEN });
    const [left, right] = [commitOn(folder, head, { 'a.txt': list(TEN, 1, 'l') }), commitOn(folder, head, { 'a.txt': list(TEN, 8, 'r') })];
    const join = (a: string, b: string) =>
      git.merges.merge(repository, { onto: a, candidate: b, strategy: 'merge', message, signature: SIGNATURE }, never);
    const [one, other] = [await join(left, right), await join(right, left)];
    if (one.kind !== 'merged' || other.kind !== 'merged') throw new Error('not merged');
    const [onto, candidate] = [commitOn(folder, one.commit, { 'b.txt': '1' }), commitOn(folder, other.commit, { 'c.txt': '1' })];
    expect((await join(onto, candidate)).kind).toBe('merged');
  });
});

describe('a rebase', () => {
  it('leaves a candidate that is on top of the target as it is', async () => {
    const { git, repository, folder, head } = await scene();
    const candidate = commitOn(folder, commitOn(folder, head, { b: '1' }), { c: '1' });
    const merged = await git.merges.merge(repository, { onto: head, candidate, strategy: 'rebase', message, signature: SIGNATURE }, never);
    expect(merged).toMatchObject({ kind: 'merged', commit: candidate });
  });

  it('does the commits between merges of the target, and says which does not apply', async () => {
    const { git, repository, folder, head } = await scene({ 'a.txt': 'base\n' });
    const onto = commitOn(folder, head, { 'b.txt': 'ours\n' });
    const first = commitOn(folder, head, { 'c.txt': '1' }, 'first');
    const pulled = await git.merges.merge(
      repository,
      { onto: first, candidate: onto, strategy: 'merge', message, signature: SIGNATURE },
      never,
    );
    if (pulled.kind !== 'merged') throw new Error('not merged');
    const candidate = commitOn(folder, pulled.commit, { 'd.txt': '1' }, 'second');
    const merged = await git.merges.merge(repository, { onto, candidate, strategy: 'rebase', message, signature: SIGNATURE }, never);
    if (merged.kind !== 'merged') throw new Error('not merged');
    expect(sh(folder, 'log', '--format=%s', `${onto}..${merged.commit}`)).toBe('second\nfirst');
    expect(merged.tree).toBe(sh(folder, 'rev-parse', `${candidate}^{tree}`));
    const bad = commitOn(folder, first, { 'b.txt': 'theirs\n' });
    const refused = await git.merges.merge(
      repository,
      { onto, candidate: commitOn(folder, bad, { e: '1' }), strategy: 'rebase', message, signature: SIGNATURE },
      never,
    );
    expect(refused).toMatchObject({ kind: 'conflict', at: bad });
  });

  it('keeps author, encoding and message byte for byte', async () => {
    const { git, repository, folder, head } = await scene();
    const worktree = await git.worktrees.add(repository, { path: join(scratchFolder(), 'w'), commit: head }, never);
    write(worktree.path, { 'b.txt': 'b' });
    sh(worktree.path, 'add', '--all');
    const file = join(scratchFolder(), 'message');
    writeFileSync(file, Buffer.from([0x47, 0xfc, 0x6e, 0x0a, 0x0a, 0x23, 0x20, 0x78]));
    sh(worktree.path, '-c', 'i18n.commitEncoding=ISO-8859-1', 'commit', '--quiet', '--cleanup=verbatim', '-F', file);
    const candidate = sh(worktree.path, 'rev-parse', 'HEAD');
    const onto = commitOn(folder, head, { 'c.txt': 'c' });
    const merged = await git.merges.merge(repository, { onto, candidate, strategy: 'rebase', message, signature: SIGNATURE }, never);
    if (merged.kind !== 'merged') throw new Error('not merged');
    const raw = (id: string) => sh(folder, '-c', 'core.quotePath=false', 'cat-file', 'commit', id);
    const [before, after] = [raw(candidate), raw(merged.commit)];
    expect(after).toContain('encoding ISO-8859-1');
    expect(after.split('\n\n').slice(1)).toEqual(before.split('\n\n').slice(1));
    expect(/^author .*$/m.exec(after)?.[0]).toBe(/^author .*$/m.exec(before)?.[0]);
    expect(ENVIRONMENT.GIT_AUTHOR_NAME).toBe('Bob');
  });

  it('drops a signature, which would no longer hold', () => {
    const raw = Buffer.from(
      `tree ${'1'.repeat(40)}\nparent ${'2'.repeat(40)}\nauthor A <a@b> 1 +0200\ncommitter A <a@b> 1 +0200\ngpgsig -----BEGIN\n tree lies\n -----END\n\ntext\n\ngpgsig stays\n`,
    );
    expect(rewriteCommit(raw, { tree: 'T', parent: 'P', signature: { ...SIGNATURE, name: 'Ä\ntree x' } }).toString('utf8')).toBe(
      'tree T\nparent P\nauthor A <a@b> 1 +0200\ncommitter Ätree x <ada@example.org> 1700000000 +0000\n\ntext\n\ngpgsig stays\n',
    );
  });
});
