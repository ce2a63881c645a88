import { execFileSync } from 'node:child_process';
import { scratchFolder } from '../support/scratch-folder';
import { decide, emptyRepository, play, type Repository, repository, stepOf } from './workshop';

/** Each makes a checkout in which nobody could tell a run's own changes, or commit them. */
const UNFIT: Readonly<Record<string, { spoil(repo: Repository): void; says: string }>> = {
  'a file that has changed': { spoil: (repo) => repo.write('a.txt', 'other\n'), says: 'git stash' },
  'a file that git does not know': { spoil: (repo) => repo.write('new.txt', 'new\n'), says: 'new.txt' },
  'a file that git does not know, where status is set up to leave those out': {
    spoil: (repo) => {
      repo.git('config', 'status.showUntrackedFiles', 'no');
      repo.write('new.txt', 'new\n');
    },
    says: 'new.txt',
  },
  'a file that is staged': {
    spoil: (repo) => {
      repo.write('new.txt', 'new\n');
      repo.git('add', 'new.txt');
    },
    says: 'git stash',
  },
  'a detached HEAD': { spoil: (repo) => repo.git('switch', '-q', '--detach'), says: 'git switch' },
  'a merge under way': {
    spoil: (repo) => {
      repo.git('switch', '-qc', 'other');
      repo.git('commit', '-q', '--allow-empty', '-m', 'other');
      repo.git('switch', '-q', 'main');
      repo.git('merge', '-q', '--no-ff', '--no-commit', '--strategy=ours', 'other');
    },
    says: 'MERGE_HEAD',
  },
  'nobody to name as the author': {
    spoil: (repo) => {
      repo.git('config', 'user.useConfigOnly', 'true');
      repo.git('config', '--unset', 'user.email');
    },
    says: 'git config user.email',
  },
};

describe('before anything is paid for, the run refuses', () => {
  test.each(Object.keys(UNFIT))('%s, and says how to go on', async (name) => {
    const repo = repository();
    UNFIT[name]?.spoil(repo);
    const before = [repo.head(), repo.git('status', '--porcelain')];
    const played = await play(repo.path, 'echo two >> a.txt');
    expect(stepOf(played, 'begin')).toMatchObject({ state: 'failed', message: expect.stringContaining(UNFIT[name]?.says ?? '') });
    expect([played.status().state, played.asked, played.notices.filter((text) => text.includes('committed nothing'))]).toEqual([
      'failed',
      [],
      [],
    ]);
    expect([repo.head(), repo.git('status', '--porcelain')]).toEqual(before);
  });

  test('a repository without a commit', async () => {
    const played = await play(emptyRepository().path, 'echo two >> a.txt');
    expect(stepOf(played, 'begin').message).toContain('git commit');
    expect(played.asked).toEqual([]);
  });

  test('a folder that is not a repository', async () => {
    const played = await play(scratchFolder(), 'echo two >> a.txt');
    expect(stepOf(played, 'root')).toMatchObject({ state: 'failed', message: expect.stringContaining('not a git repository') });
  });
});

describe('before anything is shown, the run refuses', () => {
  test('commits of the agent, and leaves them where they are', async () => {
    const repo = repository();
    const played = await play(repo.path, 'echo two >> a.txt; git commit -qam sneaked');
    const { state, message } = stepOf(played, 'look');
    expect([state, played.status().gates]).toEqual(['failed', []]);
    expect(message).toContain('sneaked');
    expect(repo.git('log', '--format=%s', '-1')).toBe('sneaked');
    const [line = ''] = /git reset --soft [0-9a-f]{40}/.exec(message) ?? [];
    repo.git(...line.split(' ').slice(1));
    expect(repo.git('status', '--porcelain')).toBe('M  a.txt');
  });

  test('another branch that the agent has gone to', async () => {
    const played = await play(repository().path, 'git switch -qc mine; echo two >> a.txt');
    expect(stepOf(played, 'look')).toMatchObject({ state: 'failed', message: expect.stringContaining('main') });
  });
});

describe('after a yes, the run refuses', () => {
  test.each([
    ['a file that has changed since', (repo: Repository) => repo.write('a.txt', 'more\n'), /rerun test --from look/],
    ['a new file', (repo: Repository) => repo.write('more.txt', 'more\n'), /rerun test --from look/],
    ['a branch that has moved', (repo: Repository) => repo.git('commit', '-q', '--allow-empty', '-m', 'mine'), /git log/],
    ['another branch', (repo: Repository) => repo.git('switch', '-qc', 'mine'), /git switch main/],
  ])('%s: nothing is committed, and nothing is lost', async (_, meddle, says) => {
    const repo = repository();
    const played = await play(repo.path, 'echo two >> a.txt');
    meddle(repo);
    const before = [repo.git('log', '--all', '--format=%H'), repo.git('status', '--porcelain')];
    await decide(played, 'approve');
    expect(stepOf(played, 'commit')).toMatchObject({ state: 'failed', message: expect.stringMatching(says) });
    expect([repo.git('log', '--all', '--format=%H'), repo.git('status', '--porcelain')]).toEqual(before);
    expect(played.notices.filter((text) => text.includes('committed nothing'))).toHaveLength(1);
  });
});

test('a no leaves the change where it is, and the lines that it prints throw it away', async () => {
  const repo = repository();
  const head = repo.head();
  const played = await play(repo.path, 'echo two >> a.txt; rm old.txt; echo n > new.txt; git add new.txt');
  await decide(played, 'reject');
  expect(played.status().state).toBe('rejected');
  expect(repo.head()).toBe(head);
  expect(repo.git('status', '--porcelain').split('\n').sort()).toEqual([' D old.txt', ' M a.txt', 'A  new.txt']);
  const said = played.notices.find((text) => text.includes('committed nothing')) ?? '';
  expect(said).toContain(repo.path);
  const [, line = 'false'] = /Throw it away: (.*)$/m.exec(said) ?? [];
  execFileSync('sh', ['-ec', line], { cwd: repo.path, stdio: 'ignore' });
  expect(repo.git('status', '--porcelain', '--ignored')).toBe('!! .env\n!! .thermidor-inputs/');
});
