import { runCategories } from '../../plan/brief/run-categories';

/** The categories without `shell_exec`, which every program has. */
function more(line: string): string {
  const [first, ...others] = runCategories(line.split(' '));
  expect(first).toBe('shell_exec');
  return others.join(' ');
}

describe('the tool `run` has the categories of its program', () => {
  test.each([
    ['npm test', ''],
    ['node build.js', ''],
    ['', ''],
    // git
    ['git', ''],
    ['git status', ''],
    ['git log --oneline', ''],
    ['git -C sub --no-pager diff', ''],
    ['git branch', ''],
    ['git branch -a', ''],
    ['git branch --list x*', ''],
    ['git stash list', ''],
    ['git remote -v', ''],
    ['git branch -v name', 'git_write'],
    ['git branch -D name', 'git_write'],
    ['git stash', 'git_write'],
    ['git commit -m x', 'git_write'],
    ['git reset --hard', 'git_write'],
    ['git config user.name push', 'git_write'],
    ['git push', 'git_push'],
    ['git -C sub push origin main', 'git_push'],
    ['git -c push.default=current push', 'git_push'],
    ['git --git-dir sub/.git push', 'git_push'],
    ['git --git-dir=sub/.git push', 'git_push'],
    ['/usr/bin/git push', 'git_push'],
    ['C:\\Git\\git.exe push', 'git_push'],
    ['git subtree push --prefix=x origin main', 'git_push'],
    ['git stash push', 'git_write'],
    ['git fetch', 'git_write http_fetch'],
    ['git ls-remote origin', 'http_fetch'],
    ['git rm -r src', 'git_write filesystem_delete'],
    ['git clean -fdx', 'git_write filesystem_delete'],
    ['git -c alias.s=push s', 'git_write git_push'],
    ['git my-alias', 'git_write git_push'],
    // what deletes
    ['rm -rf src', 'filesystem_delete'],
    ['/bin/rm -rf src', 'filesystem_delete'],
    ['RM.EXE src', 'filesystem_delete'],
    ['rmdir src', 'filesystem_delete'],
    ['find . -name *.tmp -delete', 'filesystem_delete'],
    ['find . -exec rm {} ;', 'filesystem_delete'],
    ['rsync -a --delete a/ b/', 'filesystem_delete'],
    ['rsync -a a/ b/', ''],
    // what reaches the network
    ['curl example.org', 'http_fetch'],
    ['wget -q example.org', 'http_fetch'],
    ['rsync -a a/ host:b/', 'http_fetch'],
    ['ssh host uptime', 'http_fetch'],
    ['mytool https://example.org/x', 'http_fetch'],
    ['mytool --from=https://example.org/x', 'http_fetch'],
    ['git commit -m https://example.org', 'git_write'],
    // what starts something else
    ['env A=1 rm -rf src', 'filesystem_delete'],
    ['sudo -u me git push', 'git_push'],
    ['timeout 5 nice -n 3 curl example.org', 'http_fetch'],
    ['xargs rm', 'filesystem_delete'],
    ['find links -exec rm {} ;', 'http_fetch filesystem_delete'],
    ['xargs -a git rm src', 'git_write filesystem_delete'],
    ['sudo env nice git push', 'git_push'],
    ['npx rimraf dist', 'filesystem_delete'],
    ['busybox wget example.org', 'http_fetch'],
  ])('%s: %s', (line, found) => {
    expect(more(line)).toBe(found);
  });

  // What a shell, a script or an interpreter does is not looked at.
  test.each(['sh -c rm', 'bash deploy.sh', 'python3 fetch.py', 'make push'])('%s is no more than shell_exec', (line) => {
    expect(more(line)).toBe('');
  });

  it('ends soon for as many words as the tool takes', () => {
    expect(runCategories(Array.from({ length: 1000 }, () => 'env'))).toEqual(['shell_exec']);
  });
});
