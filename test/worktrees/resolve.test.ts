import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ThermidorFailure } from '../../plan/run/failure';
import { field } from '../../plan/text/json';
import { commit, never, newRepository, problemOf, scratchFolder, sh, write } from '../git/scene';
import { newHost, opened } from './host-scene';

/** A bare repository, and a checkout that knows it as `origin`. */
function withOrigin() {
  const origin = join(scratchFolder(), 'api.git');
  sh('/', 'clone', '--quiet', '--bare', newRepository({ 'a.txt': 'a\n', '.gitignore': '.env\n' }), origin);
  const checkout = join(scratchFolder(), 'checkout');
  sh('/', 'clone', '--quiet', origin, checkout);
  return { origin, checkout, head: sh(checkout, 'rev-parse', 'HEAD') };
}

/** Makes a commit that only the remote has. */
function pushed(origin: string, branch: string): string {
  const other = join(scratchFolder(), 'other');
  sh('/', 'clone', '--quiet', origin, other);
  sh(other, 'checkout', '--quiet', '-B', branch);
  const made = commit(other, `on ${branch}`, { 'new.txt': branch });
  sh(other, 'push', '--quiet', origin, branch);
  return made;
}

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const failure = await work.catch((error: unknown) => error);
  if (!(failure instanceof ThermidorFailure)) throw failure;
  return [failure.code, field(failure.details, 'problems') ?? null];
}

describe('a path', () => {
  it('is the worker’s own folder, one counted from there, or an absolute one', async () => {
    const folder = newRepository({ 'a.txt': 'a\n', 'deep/b.txt': 'b\n' });
    const base = sh(folder, 'rev-parse', 'HEAD');
    const plan = { repository: folder, refsIn: 'repository', base, copy: [], keep: false };
    const { worktrees } = newHost(join(folder, 'deep'));
    for (const repo of [undefined, '.', '..', folder]) {
      expect(await worktrees.resolve(repo === undefined ? {} : { repo }, never)).toEqual(plan);
    }
  });

  it('has its base by any name, and what is to be copied and kept', async () => {
    const folder = newRepository();
    const first = sh(folder, 'rev-parse', 'HEAD');
    sh(folder, 'tag', 'v1');
    commit(folder, 'second', { 'b.txt': 'b', 'deep/c/d.txt': 'd' });
    const { worktrees } = newHost(folder);
    for (const base of ['v1', 'main~1', first, first.slice(0, 8)]) {
      expect(await worktrees.resolve({ base, copy: ['./b.txt', 'deep//c/'], keep: true }, never)).toMatchObject({
        base: first,
        copy: ['b.txt', 'deep/c'],
        keep: true,
      });
    }
  });

  it('in a linked checkout has the HEAD of that one', async () => {
    const folder = newRepository();
    const linked = join(scratchFolder(), 'linked');
    sh(folder, 'worktree', 'add', '--quiet', '-b', 'feature', linked);
    const base = commit(linked, 'on feature', { 'deep/b.txt': 'b' });
    write(folder, { 'a.txt': 'changed' });
    for (const host of [newHost(linked), newHost(join(linked, 'deep'))]) {
      expect(await host.worktrees.resolve({}, never)).toEqual({ repository: folder, refsIn: 'repository', base, copy: [], keep: false });
    }
    sh(linked, 'checkout', '--quiet', '--detach');
    expect(await refusal(newHost(linked).worktrees.resolve({}, never))).toEqual(['repository.unusable', ['detached-head']]);
    expect((await newHost(linked).worktrees.resolve({ base: 'feature' }, never)).base).toBe(base);
  });

  it('is refused with everything that is wrong with it at once', async () => {
    const empty = join(scratchFolder(), 'empty');
    sh('/', 'init', '--quiet', '-b', 'main', empty);
    const { worktrees } = newHost(empty);
    const refused = ['repository.unusable', ['no-commits', 'path-missing', 'path-missing']];
    expect(await refusal(worktrees.resolve({ copy: ['.env', 'node_modules'] }, never))).toEqual(refused);
    const folder = newRepository();
    const shallow = join(scratchFolder(), 'shallow');
    commit(folder, 'second');
    sh('/', 'clone', '--quiet', '--depth=1', `file://${folder}`, shallow);
    sh(shallow, 'checkout', '--quiet', '--detach');
    const there = (wanted: object) => refusal(worktrees.resolve({ repo: shallow, ...wanted }, never));
    expect(await there({})).toEqual(['repository.unusable', ['shallow', 'detached-head']]);
    expect(await there({ base: 'gone', copy: ['.env'] })).toEqual(['repository.unusable', ['shallow', 'base-missing', 'path-missing']]);
    expect(await problemOf(worktrees.resolve({ repo: scratchFolder() }, never))).toBe('repository.unusable/not-a-repository');
    expect(await refusal(worktrees.resolve({ repo: ' ' }, never))).toEqual(['worktree.unavailable', null]);
  });

  it('that is a partial clone is refused if it lacks files of the base, and works if it has them', async () => {
    const origin = newRepository({ 'a.txt': '1' });
    const first = sh(origin, 'rev-parse', 'HEAD');
    const second = commit(origin, 'second', { 'a.txt': '2' });
    sh(origin, 'config', 'uploadpack.allowFilter', 'true');
    const folder = join(scratchFolder(), 'partial');
    sh('/', 'clone', '--quiet', '--filter=blob:none', `file://${origin}`, folder);
    const { worktrees } = newHost(folder);
    const failure = await worktrees.resolve({ base: first }, never).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'repository.unusable', message: expect.stringContaining('git fetch --refetch --no-filter') });
    const { tree, save } = await opened({}, { folder });
    write(tree.folder, { 'b.txt': 'b' });
    expect(sh(folder, 'rev-parse', `${await save()}^`)).toBe(second);
  });

  it('with uncommitted changes, submodules or LFS is taken, and says what a worktree lacks', async () => {
    const folder = newRepository({ 'a.txt': 'a\n', '.gitmodules': '[submodule "x"]\n', '.gitattributes': '*.bin filter=lfs\n' });
    write(folder, { 'a.txt': 'changed', 'new.txt': 'new' });
    const { notes } = await newHost(folder).worktrees.resolve({}, never);
    expect(notes?.map((note) => /a\.txt.*new\.txt|submodules|LFS/.exec(note)?.[0])).toEqual(['a.txt", "new.txt', 'submodules', 'LFS']);
  });

  it('of a folder of worktrees that lies in a checkout, or below a node_modules, is none', async () => {
    const folder = newRepository();
    for (const root of [join(folder, 'deep/worktrees'), join(folder, '.git/worktrees')]) {
      expect(await refusal(newHost(folder, { settings: { folder: root } }).worktrees.resolve({}, never))).toEqual([
        'worktree.unavailable',
        null,
      ]);
    }
    const around = scratchFolder();
    mkdirSync(join(around, 'node_modules'));
    const host = newHost(folder, { settings: { folder: join(around, 'worktrees') } });
    expect(await refusal(host.worktrees.resolve({}, never))).toEqual(['worktree.unavailable', null]);
  });
});

describe('a URL', () => {
  it('has the base that the remote has now, and no credentials', async () => {
    const { origin, head } = withOrigin();
    const repo = `file://${origin}`;
    const { worktrees } = newHost(scratchFolder());
    const plan = { repository: repo, refsIn: 'remote', base: head, copy: [], keep: false };
    expect(await worktrees.resolve({ repo }, never)).toEqual(plan);
    const [main, topic] = [pushed(origin, 'main'), pushed(origin, 'topic/x')];
    sh(origin, 'tag', 'v1', head);
    const bases = { main, 'topic/x': topic, 'refs/heads/topic/x': topic, 'origin/main': main, 'main~1': head, v1: head, [head]: head };
    for (const [base, expected] of Object.entries(bases)) {
      expect({ [base]: (await worktrees.resolve({ repo, base }, never)).base }).toEqual({ [base]: expected });
    }
    expect((await worktrees.resolve({ repo }, never)).base).toBe(main);
    // A new branch has the name of the folder of an old one, which is forgotten.
    sh(origin, 'branch', '-D', 'topic/x');
    const moved = pushed(origin, 'topic');
    expect((await worktrees.resolve({ repo, base: 'topic' }, never)).base).toBe(moved);
    expect(await refusal(worktrees.resolve({ repo, base: 'topic/x' }, never))).toEqual(['repository.unusable', ['base-missing']]);
    expect(await problemOf(worktrees.resolve({ repo: 'https://ada:secret@localhost/x.git' }, never))).toBe(
      'repository.refused/unauthorised',
    );
  });

  it('has nothing to copy from, and has to have commits', async () => {
    const { origin } = withOrigin();
    const { worktrees } = newHost(scratchFolder());
    const repo = `file://${origin}`;
    expect(await refusal(worktrees.resolve({ repo, base: 'gone', copy: ['.env'] }, never))).toEqual([
      'repository.unusable',
      ['base-missing', 'path-missing'],
    ]);
    expect(await refusal(worktrees.resolve({ repo, remote: 'origin' }, never))).toEqual(['worktree.unavailable', null]);
    const empty = join(scratchFolder(), 'empty.git');
    sh('/', 'init', '--quiet', '--bare', empty);
    expect(await refusal(worktrees.resolve({ repo: `file://${empty}` }, never))).toEqual(['repository.unusable', ['no-commits']]);
    rmSync(origin, { recursive: true });
    expect(await problemOf(worktrees.resolve({ repo }, never))).toBe('repository.unusable/not-a-repository');
  });
});

describe('the remote of a checkout', () => {
  it('has the base, and the checkout the files outside git', async () => {
    const { origin, checkout } = withOrigin();
    const main = pushed(origin, 'main');
    commit(checkout, 'not pushed', { 'mine.txt': '1' });
    writeFileSync(join(checkout, '.env'), 'A=1\n');
    const { worktrees } = newHost(checkout);
    const plan = {
      repository: origin,
      refsIn: 'remote',
      remote: { name: 'origin', checkout: '.' },
      base: main,
      copy: ['.env'],
      keep: false,
    };
    expect(await worktrees.resolve({ remote: 'origin', copy: ['.env'] }, never)).toEqual(plan);
    expect(await refusal(worktrees.resolve({ remote: 'upstream' }, never))).toEqual(['worktree.unavailable', null]);
    // Credentials in git's configuration stay there.
    sh(checkout, 'remote', 'set-url', 'origin', `file://${origin}/`);
    expect((await worktrees.resolve({ remote: 'origin' }, never)).repository).toBe(`file://${origin}`);
  });
});
