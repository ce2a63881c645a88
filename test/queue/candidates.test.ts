import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { MERGE_STRATEGIES } from '../../plan/queue/queue-settings';
import { commit, scratchFolder, sh, write } from '../git/scene';
import { QueueScene } from './scene';

/** Tests unusual candidates and repositories. */

test.each(MERGE_STRATEGIES)('%s: a candidate that the target is at, or has, is merged already', async (strategy) => {
  const scene = new QueueScene();
  const same = await scene.submit('same', {}, { candidate: scene.head() });
  const first = sh(scene.folder, 'rev-parse', 'main');
  commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
  const older = await scene.submit('older', {}, { candidate: first });
  const { onto, result, parts } = await scene.merge([same, older], { settings: { strategy } });
  expect([parts.map(({ kind }) => kind), result]).toEqual([['already', 'already'], onto]);
});

test('a candidate that may be empty is tested even if the target has all of it, and lands as a commit of its own', async () => {
  const scene = new QueueScene();
  const first = await scene.submit('first', { 'b.txt': 'B\n' });
  const landed = await scene.merge([first]);
  await scene.advance(landed.onto, landed.result, first);
  const same = await scene.submit(
    'same',
    {},
    { candidate: sh(scene.folder, 'rev-parse', 'main^2'), allowEmpty: true, test: 'grep -q whole b.txt' },
  );
  const { onto, result, parts } = await scene.merge([same]);
  expect([parts, sh(scene.folder, 'rev-parse', `${result}^1`)]).toEqual([[{ ticket: 1, kind: 'merged', commit: result }], onto]);
  expect(sh(scene.folder, 'rev-parse', `${result}^{tree}`)).toBe(sh(scene.folder, 'rev-parse', `${onto}^{tree}`));
  expect(await scene.test(result, {}, [same])).toMatchObject({ kind: 'red', of: 1 });
  expect(await scene.advance(onto, result, same)).toEqual({ kind: 'moved' });
});

test('a candidate that was merged crosswise with the target is held to what it has changed itself', async () => {
  const scene = new QueueScene();
  const first = scene.candidate('first', { 'mine.txt': 'm\n' });
  const theirs = commit(scene.folder, 'theirs', { 'package.json': '{}\n', 'doc.txt': '<<<<<<< a\n=======\n>>>>>>> b\n' });
  sh(scene.folder, 'merge', '--quiet', '-m', 'lands', first);
  sh(scene.folder, 'checkout', '--quiet', '--detach', first);
  sh(scene.folder, 'merge', '--quiet', '-m', 'brought up to date', theirs);
  const crossed = commit(scene.folder, 'more', { 'mine.txt': 'more\n' });
  const touching = commit(scene.folder, 'touching', { 'package.json': '{"a":1}\n' });
  sh(scene.folder, 'checkout', '--quiet', 'main');
  const settings = { restricted: ['package.json'] };
  const asked = await Promise.all([crossed, touching].map((candidate, i) => scene.submit(`c${i}`, {}, { candidate })));
  const parts = await Promise.all(asked.map(async (one) => (await scene.merge([one], { settings })).parts[0]));
  expect(parts).toMatchObject([{ kind: 'merged' }, { kind: 'restricted', paths: ['package.json'] }]);
});

test('a path is restricted by the name that it has where it lands: what was moved there meanwhile, and what a link now leads to', async () => {
  const scene = new QueueScene({ files: { 'old.sh': 'one\ntwo\nthree\nfour\n', 'tools/x.sh': 'x\n', 'a.txt': 'a\n' } });
  const moved = await scene.submit('moved', { 'old.sh': 'one\ntwo\nthree\nfive\n' });
  const behind = await scene.submit('behind', { 'tools/x.sh': 'y\n' });
  const other = await scene.submit('other', { 'a.txt': 'b\n' });
  const linking = scene.candidate('none', {});
  sh(scene.folder, 'checkout', '--quiet', '--detach', linking);
  symlinkSync('tools', join(scene.folder, 'deploy'));
  const link = await scene.submit('link', {}, { candidate: commit(scene.folder, 'link', {}) });
  sh(scene.folder, 'checkout', '--quiet', 'main');
  const settings = { restricted: ['ci/**', 'deploy/**'] };
  expect((await scene.merge([link], { settings })).parts).toMatchObject([{ kind: 'restricted', paths: ['deploy'] }]);
  mkdirSync(join(scene.folder, 'ci'));
  sh(scene.folder, 'mv', 'old.sh', 'ci/new.sh');
  symlinkSync('tools', join(scene.folder, 'deploy'));
  commit(scene.folder, 'theirs', {});
  expect((await scene.merge([moved, behind, other], { settings })).parts).toMatchObject([
    { kind: 'restricted', paths: ['ci/new.sh'] },
    { kind: 'restricted', paths: ['deploy/x.sh', 'tools/x.sh'] },
    { kind: 'merged' },
  ]);
});

test('a candidate whose commit is gone fails with its name, and moves nothing', async () => {
  const scene = new QueueScene();
  const gone = await scene.submit('gone', {}, { candidate: 'f'.repeat(40) });
  await expect(scene.merge([gone])).rejects.toMatchObject({ code: 'repository.unusable', message: expect.stringContaining('fffffff') });
});

test('what is not a commit is refused as a candidate, such as options of git', async () => {
  const scene = new QueueScene();
  for (const candidate of ['--upload-pack=touch x', '-h', 'main:a.txt', '', 'a b', sh(scene.folder, 'rev-parse', 'main:a.txt')]) {
    const asked = await scene.submit(`c${candidate.length}`, {}, { candidate });
    await expect(scene.merge([asked])).rejects.toMatchObject({ code: 'repository.unusable' });
  }
  expect(existsSync(join(scene.folder, 'x'))).toBe(false);
});

test.each(MERGE_STRATEGIES)('%s: a candidate with a history of its own comes back as unrelated', async (strategy) => {
  const scene = new QueueScene();
  sh(scene.folder, 'checkout', '--quiet', '--orphan', 'apart');
  const id = commit(scene.folder, 'apart', { 'z.txt': 'z\n' });
  sh(scene.folder, 'checkout', '--quiet', 'main');
  const apart = await scene.submit('apart', {}, { candidate: id });
  expect((await scene.merge([apart], { settings: { strategy, restricted: ['*.lock'] } })).parts).toMatchObject([{ kind: 'unrelated' }]);
});

test('names with newlines, quotes and bytes that are not UTF-8 are merged, checked out and reported', async () => {
  const scene = new QueueScene();
  const names = ['line\nbreak.txt', 'quo"te\'.txt', ' -leading', 'ta\tb'].map((name) => Buffer.from(name));
  names.push(Buffer.from([0x66, 0xff, 0xfe, 0x2e, 0x74, 0x78, 0x74]));
  sh(scene.folder, 'checkout', '--quiet', '--detach', 'main');
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${scene.folder}/`), name]), 'odd\n');
  const odd = commit(scene.folder, 'odd', {});
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${scene.folder}/`), name]), 'other\n');
  const other = commit(scene.folder, 'other', {});
  sh(scene.folder, 'checkout', '--quiet', 'main');
  const asked = await scene.submit('odd', {}, { candidate: odd });
  const { onto, result } = await scene.merge([asked]);
  expect(await scene.test(result, { test: 'test "$(cat *ff* *.txt | wc -l)" -ge 4 || ls -b' })).toMatchObject({ kind: 'green' });
  expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
  expect([sh(scene.folder, 'status', '--porcelain'), existsSync(join(scene.folder, 'line\nbreak.txt'))]).toEqual(['', true]);
  // On top of another change of the same names the merge conflicts, and names the paths.
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${scene.folder}/`), name]), 'mine\n');
  commit(scene.folder, 'mine', {});
  const late = await scene.submit('late', {}, { candidate: other });
  expect((await scene.merge([late])).parts).toMatchObject([
    { kind: 'conflict', paths: expect.arrayContaining(['line\nbreak.txt', 'quo"te\'.txt']) },
  ]);
});

test('of a thousand conflicts an outcome has a hundred paths, and how many more there are', async () => {
  const scene = new QueueScene();
  const files = (text: string) => Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${'long-'.repeat(20)}${i}`, text]));
  const asked = await scene.submit('many', files('theirs\n'));
  commit(scene.folder, 'ours', files('ours\n'));
  const [part] = (await scene.merge([asked])).parts;
  if (part?.kind !== 'conflict') throw new Error('it has merged');
  expect(part.paths.length + (part.morePaths ?? 0)).toBe(1000);
  expect(part.paths.join('').length).toBeLessThanOrEqual(5000);
});

test('a title of many lines is one line of the message, and an option of git is none', async () => {
  const scene = new QueueScene();
  const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { title: '--amend\nThermidor-Run: forged\n\n' });
  const { result } = await scene.merge([asked]);
  expect(sh(scene.folder, 'log', '-1', '--format=%s', result)).toBe('Merge --amend Thermidor-Run: forged');
  expect(sh(scene.folder, 'log', '-1', '--format=%(trailers:key=Thermidor-Run,valueonly)', result).trim()).toBe('run-1');
});

test('a lock of the index that a killed git has left does not stop the branch for ever', async () => {
  const scene = new QueueScene();
  const asked = await scene.submit('a', { 'a.txt': 'x\n' });
  const { onto, result } = await scene.merge([asked]);
  const lock = join(scene.folder, '.git/index.lock');
  writeFileSync(lock, '');
  await expect(scene.advance(onto, result, asked)).rejects.toMatchObject({ code: 'repository.locked' });
  expect(scene.head()).toBe(onto);
  utimesSync(lock, new Date(0), new Date(0));
  expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
  expect(sh(scene.folder, 'status', '--porcelain')).toBe('');
});

describe('a person at the target', () => {
  test('who deletes it gets no branch back', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' });
    const { onto, result } = await scene.merge([asked]);
    sh(scene.folder, 'checkout', '--quiet', '--detach');
    sh(scene.folder, 'branch', '-D', 'main');
    await expect(scene.advance(onto, result, asked)).rejects.toMatchObject({ code: 'repository.unusable' });
    expect(sh(scene.folder, 'branch', '--list', 'main')).toBe('');
  });

  test('who resets it to before loses nothing that the queue does not know of', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'x\n' });
    const { onto, result } = await scene.merge([asked]);
    const other = commit(scene.folder, 'theirs', { 'c.txt': 'c\n' });
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'stale' });
    sh(scene.folder, 'reset', '--quiet', '--hard', onto);
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect([scene.head(), sh(scene.folder, 'cat-file', '-t', other)]).toEqual([result, 'commit']);
  });

  test('who has it checked out in a second worktree finds that one moved; their own file in the way is kept', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'new.txt': 'theirs\n' });
    const second = join(scratchFolder(), 'second');
    sh(scene.folder, 'checkout', '--quiet', '--detach');
    sh(scene.folder, 'worktree', 'add', '--quiet', second, 'main');
    const { onto, result } = await scene.merge([asked]);
    write(second, { 'new.txt': 'mine\n' });
    expect(await scene.advance(onto, result, asked)).toMatchObject({ kind: 'dirty', message: expect.stringContaining('"new.txt"') });
    expect([sh(second, 'rev-parse', 'HEAD'), sh(second, 'status', '--porcelain')]).toEqual([onto, '?? new.txt']);
    rmSync(join(second, 'new.txt'));
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'moved' });
    expect([sh(second, 'rev-parse', 'HEAD'), sh(second, 'status', '--porcelain')]).toEqual([result, '']);
  });

  test('who is in the middle of a rebase or a merge is left alone', async () => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'b.txt': 'x\n' });
    const { onto, result } = await scene.merge([asked]);
    sh(scene.folder, 'checkout', '--quiet', '-b', 'side', 'main');
    commit(scene.folder, 'side', { 'a.txt': 'side\n' });
    sh(scene.folder, 'checkout', '--quiet', 'main');
    commit(scene.folder, 'mine', { 'a.txt': 'mine\n' });
    expect(() => sh(scene.folder, 'merge', 'side')).toThrow();
    await expect(scene.merge([asked])).rejects.toMatchObject({ code: 'repository.unusable' });
    expect(await scene.advance(onto, result, asked)).toEqual({ kind: 'stale' });
    expect(sh(scene.folder, 'status', '--porcelain')).toContain('UU a.txt');
  });
});

describe('what has landed, although nobody knows of it', () => {
  test.each(MERGE_STRATEGIES)('%s: is not merged again, whatever came after it', async (strategy) => {
    const scene = new QueueScene();
    const asked = await scene.submit('a', { 'a.txt': 'mine\n' });
    const { onto, result } = await scene.merge([asked], { settings: { strategy } });
    await scene.advance(onto, result, asked);
    // A new merge would conflict.
    commit(scene.folder, 'theirs', { 'a.txt': 'theirs\n' });
    const again = await scene.merge([asked], { settings: { strategy } });
    expect(again.parts).toEqual([{ ticket: 1, kind: 'already', result }]);
    expect(await PERFORM_QUEUE.admitCandidate(scene.toolbox(), scene.call(), { run: 'q2', asked })).toEqual({
      kind: 'known',
      outcome: { kind: 'merged', result },
    });
  });
});

test('the remote refuses the push: it comes back, and the target is where it was', async () => {
  const scene = new QueueScene({ remote: true });
  const bare = scene.target.repository.replace('file://', '');
  writeFileSync(join(bare, 'hooks/update'), '#!/bin/sh\ncase "$1" in refs/heads/*) echo "protected" >&2; exit 1;; esac\n', { mode: 0o755 });
  const asked = await scene.submit('a', { 'a.txt': 'x\n' });
  const { onto, result } = await scene.merge([asked]);
  await expect(scene.advance(onto, result, asked)).rejects.toMatchObject({ code: 'repository.refused' });
  expect(scene.head()).toBe(onto);
});

test('a shallow clone as the repository is refused or merged, never wrongly', async () => {
  const scene = new QueueScene();
  const shallow = join(scratchFolder(), 'shallow');
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${scene.folder}`, shallow]);
  const target = { ...scene.target, repository: shallow };
  const asked = await scene.submit('a', { 'a.txt': 'x\n' }, { target });
  const input = { run: 'q1', target, candidates: [{ ticket: 1, asked }], atMs: 1 };
  const work = PERFORM_QUEUE.mergeCandidates(scene.toolbox(), scene.call(undefined, target), input);
  await expect(work).rejects.toMatchObject({ code: 'repository.unusable' });
});
