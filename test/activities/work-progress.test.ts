import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitHead } from '../../activities/adapters/git-head';
import { workProgress } from '../../activities/agent/work-progress';
import type { ToolCall } from '../../plan/agents/tool';
import { type Turn, turnUnderWay } from '../../records/transcripts/turn';
import { scratchFolder } from './workshop';

/** A repository of the test's own, whatever the machine's settings. */
function git(folder: string, ...words: string[]): string {
  const own = ['-c', 'user.name=t', '-c', 'user.email=t@localhost', '-c', 'commit.gpgsign=false'];
  return execFileSync('git', [...own, ...words], { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

const PROMPT: Turn = { role: 'user', text: 'look' };
const CALL: ToolCall = { id: '1', tool: 'list_files', args: {} };
const CALLING: Turn = { role: 'assistant', text: '', calls: [CALL] };
const RESULT: Turn = { role: 'tool', text: 'nothing', call: CALL };
const ANSWER: Turn = { role: 'assistant', text: 'there is nothing' };

describe('the turn under way', () => {
  it.each<[string, number, Turn[]]>([
    ['that whose reply is awaited', 1, [PROMPT]],
    ['that whose calls are being made', 1, [PROMPT, CALLING]],
    ['the next once these have their results', 2, [PROMPT, CALLING, RESULT]],
    ['the last where it is answered', 2, [PROMPT, CALLING, RESULT, ANSWER]],
    ['the next where it is asked again', 3, [PROMPT, CALLING, RESULT, ANSWER, PROMPT]],
    ['none more for a reply that broke off', 1, [PROMPT, { role: 'assistant', text: '', stop: 'broken' }]],
  ])('is %s', (_, turn, turns) => {
    expect(turnUnderWay(turns)).toBe(turn);
  });
});

describe('how far an agent is', () => {
  it('tells turns, transcript and the commit, which is looked up again once something was said', async () => {
    const turns: Turn[] = [PROMPT];
    let looks = 0;
    const progress = workProgress(
      'a#1~1/transcript',
      () => turns,
      async (folder) => `${folder}@${++looks}`,
      async () => 'tree',
    );
    expect(progress()).toEqual({ turn: 1, transcript: 'a#1~1/transcript' });
    await settled();
    expect(progress()).toEqual({ turn: 1, transcript: 'a#1~1/transcript', commit: 'tree@1' });
    await settled();
    expect(looks).toBe(1);
    turns.push({ role: 'assistant', text: 'on the way', stop: 'aside' });
    progress();
    await settled();
    expect(progress()).toMatchObject({ turn: 2, commit: 'tree@2' });
  });

  it('is reported even if the folder cannot be had', async () => {
    const progress = workProgress(
      't',
      () => [PROMPT],
      gitHead,
      () => Promise.reject(new Error('no folder')),
    );
    progress();
    await settled();
    expect(progress()).toEqual({ turn: 1, transcript: 't' });
  });
});

describe('the commit of a folder', () => {
  it('is that of its work tree, seen from below and from another work tree of the same repository', async () => {
    const folder = scratchFolder();
    git(folder, 'init', '--quiet');
    expect(await gitHead(folder)).toBeUndefined();
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    const first = git(folder, 'rev-parse', 'HEAD');
    const below = join(folder, 'a', 'b');
    mkdirSync(below, { recursive: true });
    expect(await gitHead(below)).toBe(first);
    const other = join(folder, 'other');
    git(folder, 'worktree', 'add', '--quiet', '--detach', other);
    git(other, 'commit', '--quiet', '--allow-empty', '-m', 'two');
    expect(await gitHead(other)).toBe(git(other, 'rev-parse', 'HEAD'));
    expect(await gitHead(folder)).toBe(first);
  });

  it('is found if git has packed its refs, and without a program', async () => {
    const folder = scratchFolder();
    git(folder, 'init', '--quiet');
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'one');
    git(folder, 'branch', 'other');
    git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'two');
    git(folder, 'pack-refs', '--all');
    const head = git(folder, 'rev-parse', 'HEAD');
    const path = process.env['PATH'];
    process.env['PATH'] = '';
    try {
      expect(await gitHead(folder)).toBe(head);
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('is none if there is no repository', async () => {
    expect(await gitHead(scratchFolder())).toBeUndefined();
  });

  it.each([
    ['no commit', 'secret of a file\n'],
    ['a ref that is not there', 'ref: refs/heads/none\n'],
    ['a ref to itself', 'ref: refs/heads/loop\n'],
    ['a ref outside', 'ref: refs/../../../notes\n'],
    ['more than any ref', 'a'.repeat(2 * 1024 * 1024)],
  ])('is none where an agent has written %s in its place', async (_, text) => {
    const folder = scratchFolder();
    mkdirSync(join(folder, '.git', 'refs', 'heads'), { recursive: true });
    writeFileSync(join(folder, '.git', 'HEAD'), text);
    writeFileSync(join(folder, '.git', 'refs', 'heads', 'loop'), 'ref: refs/heads/loop\n');
    writeFileSync(join(folder, 'notes'), 'what is written here is no commit\n');
    expect(await gitHead(folder)).toBeUndefined();
  });

  it('is none, at once, if a pipe is in its place', async () => {
    const folder = scratchFolder();
    git(folder, 'init', '--quiet');
    rmSync(join(folder, '.git', 'HEAD'));
    execFileSync('mkfifo', [join(folder, '.git', 'HEAD')]);
    expect(await gitHead(folder)).toBeUndefined();
  });
});
