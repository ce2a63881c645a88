import { join } from 'node:path';
import { decide, play, repository, stepOf } from './workshop';

describe('what was approved', () => {
  test('is committed, exactly and once, and leaves a clean checkout', async () => {
    const repo = repository();
    const first = repo.head();
    const played = await play(
      repo.path,
      `printf 'two\\n' >> a.txt; rm old.txt; mkdir -p 'a b'; echo x > 'a b/c d.txt'; echo y > "$(printf 'line\\nbreak')"; echo z > "$(printf 'caf\\351')"; echo 'echo' > run.sh; chmod +x run.sh`,
      { task: 'Say "hi" $(id)\n\nAnd more.' },
    );
    expect(await played.preview()).toContain('+two');
    expect(repo.head()).toBe(first);
    await decide(played, 'approve');
    expect(played.status().state).toBe('completed');
    expect(repo.git('log', '--format=%an|%P|%B', '-1')).toBe(`Ann|${first}|Say "hi" $(id)\n\nAnd more.\n\nThermidor-Run: test\n`);
    expect(repo.git('diff', '--name-status', '--no-renames', first, 'HEAD').split('\n').sort()).toEqual(
      ['A\t"caf\\351"', 'A\t"line\\nbreak"', 'A\ta b/c d.txt', 'A\trun.sh', 'D\told.txt', 'M\ta.txt'].sort(),
    );
    expect(repo.git('ls-tree', 'HEAD', 'run.sh')).toMatch(/^100755/);
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(await played.output('commit')).toMatch(/^Committed [0-9a-f]+ to main\.$/);
  });

  test('begins in a folder below as well, and takes in the whole repository', async () => {
    const repo = repository();
    repo.write('sub/keep.txt', '');
    repo.git('add', '-A');
    repo.git('commit', '-qm', 'sub');
    const played = await play(join(repo.path, 'sub'), 'echo two >> a.txt');
    await decide(played, 'approve');
    expect(repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt');
  });

  test('is on the branch of a linked worktree and nowhere else', async () => {
    const repo = repository();
    const [main, tree] = [repo.head(), join(repo.path, '../tree')];
    repo.git('worktree', 'add', '-q', '-b', 'topic', tree);
    const played = await play(tree, 'echo two >> a.txt');
    await decide(played, 'approve');
    expect(played.status().state).toBe('completed');
    expect([repo.head(), repo.git('rev-parse', 'topic~1')]).toEqual([main, main]);
  });
});

describe('what never enters a commit', () => {
  test('is what the last commit ignores, even if the agent changes .gitignore or stages it', async () => {
    const repo = repository();
    const played = await play(
      repo.path,
      'echo "# nothing" > .gitignore; mkdir build; echo o > build/out.o; echo new > kept.txt; git add -f .env build',
    );
    expect(await played.preview()).not.toContain('hush');
    await decide(played, 'approve');
    expect(repo.git('show', '--name-only', '--format=', 'HEAD').split('\n').sort()).toEqual(['.gitignore', 'kept.txt']);
    expect(repo.git('status', '--porcelain').split('\n').sort()).toEqual(['?? .env', '?? build/']);
  });

  test('is a state folder, even if the agent takes its .gitignore away', async () => {
    const repo = repository();
    repo.write('.thermidor/.gitignore', '*\n');
    repo.write('.thermidor/ledger/secret', 'hush');
    const played = await play(repo.path, 'rm .thermidor/.gitignore; echo two >> a.txt');
    await decide(played, 'approve');
    expect(repo.git('show', '--name-only', '--format=', 'HEAD')).toBe('a.txt');
  });

  test.each([
    ['a submodule that the agent has moved', 'cd lib; git -c user.name=x -c user.email=x@x commit -q --allow-empty -m moved'],
    [
      'a repository that the agent has made',
      'git init -q mine; cd mine; git -c user.name=x -c user.email=x@x commit -q --allow-empty -m mine',
    ],
  ])('is %s: the run fails and says so', async (_, deeds) => {
    const [repo, library] = [repository(), repository()];
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library.path, 'lib');
    repo.git('commit', '-qm', 'lib');
    const head = repo.head();
    const played = await play(repo.path, `echo two >> a.txt; ${deeds}`);
    expect(stepOf(played, 'look')).toMatchObject({ state: 'failed', message: expect.stringContaining('submodule') });
    expect([played.status().state, repo.head()]).toEqual(['failed', head]);
  });
});

test('an agent that changes nothing opens no gate, and the run says so', async () => {
  const repo = repository();
  const head = repo.head();
  const played = await play(repo.path, 'touch a.txt');
  expect(played.status()).toMatchObject({ state: 'completed', gates: [] });
  await expect(played.run.result).resolves.toMatchObject({ output: expect.stringContaining('changed nothing') });
  expect(repo.head()).toBe(head);
});

describe('the diff at the gate', () => {
  test('hides nothing, whatever attributes the agent writes', async () => {
    const repo = repository();
    const played = await play(repo.path, `echo '* -diff' > .gitattributes; echo 'steal()' > a.js`);
    expect(await played.preview()).toContain('+steal()');
  });

  test('begins with a summary, and is cut if it is too long, with the line that shows the rest', async () => {
    const repo = repository();
    const played = await play(repo.path, 'seq 100000 > long.txt; echo a > z.txt');
    const shown = await played.preview();
    expect(shown.split('\n')[0]).toMatch(/long\.txt \| 100000 \+/);
    expect(shown.length).toBeLessThan(201_000);
    const [, line = ''] = /All of it: git (diff .*)$/.exec(shown) ?? [];
    expect(repo.git(...line.split(' '))).toContain('+100000');
  });
});
