import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CATALOGUE } from '../../cli/catalogue/index';
import { Options } from '../../cli/command';
import { list, prune } from '../../cli/commands/worktree';
import { listedWorktree, renderRemains, renderSwept, renderWorktrees } from '../../cli/rendering/worktrees';
import { worktreeRecords } from '../../worker/worktrees/worktree-records';
import { scratchFolder } from '../support/scratch-folder';
import { RECORD } from '../worktrees/record';
import { fakeTerminal } from './fake-terminal';

/** The commands where no server is needed; with one: test/durability/worktree-leftovers.test.ts. */
function place(options: Record<string, unknown> = {}) {
  const folder = scratchFolder();
  const terminal = { ...fakeTerminal(), cwd: folder, env: { THERMIDOR_WORKTREES: join(folder, 'trees') } };
  const invocation = { args: [], options: new Options(options), terminal, catalogue: { commands: CATALOGUE, nouns: {} } };
  return { folder, terminal, invocation };
}

describe('if a host has no worktrees', () => {
  test.each([
    ['list', list, { folder: expect.any(String), worktrees: [], nobodys: [], unreadable: [] }],
    ['prune', prune, { dryRun: false, swept: [], nobodys: [], unreadable: [] }],
  ])('%s says so, and neither starts a server nor makes a folder', async (_, command, shown) => {
    const [text, json] = [place(), place({ json: true })];
    expect([await command(text.invocation), await command(json.invocation)]).toEqual([0, 0]);
    expect(text.terminal.written.out).toBe('');
    expect(text.terminal.written.err).toContain(join(text.folder, 'trees'));
    expect(JSON.parse(json.terminal.written.out)).toEqual(shown);
    expect([readdirSync(text.folder), readdirSync(json.folder)]).toEqual([[], []]);
  });

  test('records that cannot be read and folders of nobody are shown', async () => {
    const { folder, terminal, invocation } = place();
    const root = join(folder, 'trees');
    await worktreeRecords(root).write(RECORD);
    const [name = ''] = readdirSync(join(root, 'records'));
    writeFileSync(join(root, 'records', name), 'torn');
    mkdirSync(join(root, 'trees', 'x'), { recursive: true });
    expect(await list(invocation)).toBe(0);
    expect(terminal.written.err).toContain(`the record ${join(root, 'records', name)} cannot be used: it is not JSON`);
    expect(terminal.written.err).toContain(`no record belongs to ${join(root, 'trees', 'x')}`);
    expect(existsSync(join(folder, '.thermidor'))).toBe(false);
  });
});

test.each(['soon', '7', '-1d', ''])('"%s" is no age', async (text) => {
  const { invocation } = place({ olderThan: text });
  await expect(prune(invocation)).rejects.toMatchObject({ code: 'usage' });
});

describe('what is shown', () => {
  const terminal = fakeTerminal();

  test('of a worktree: its run, step, state, repository, branch, epoch, host and folder, and why it is not in use', () => {
    const left = listedWorktree({ record: RECORD, state: 'left over', why: 'its run ended 2 h 00 min ago', remove: true });
    const used = listedWorktree({ record: { ...RECORD, epoch: 2 }, state: 'in use', why: 'its run continues', remove: false });
    const [headings = '', first = '', second = ''] = renderWorktrees([left, used], terminal).split('\n');
    expect(headings.split(/ {2,}/)).toEqual(['RUN', 'STEP', 'STATE', 'AGE', 'REPOSITORY', 'BRANCH', 'EPOCH', 'HOST', 'FOLDER', 'WHY']);
    expect(first.split(/ {2,}/)).toEqual([
      ...['Build/1', 'parts[3]/write', 'left over', expect.any(String), '/srv/repository', 'thermidor/a', '1', RECORD.host],
      ...['/srv/worktrees/trees/a', 'its run ended 2 h 00 min ago'],
    ]);
    expect(second).not.toContain('goes on');
  });

  test('of a sweep: what was done, or would be, and why', () => {
    const gone = { kind: 'worktree', what: '/t/a', workflowId: 'r', slot: 's', done: 'removed', why: 'w' } as const;
    const swept = [gone, { ...gone, done: 'kept' }, { kind: 'clone', what: '/c', done: 'failed', why: 'EACCES' }] as const;
    const rows = (dryRun: boolean) =>
      renderSwept(swept, dryRun, terminal)
        .split('\n')
        .map((line) => line.split(/ {2,}/));
    expect(rows(false).slice(1, 4)).toEqual([
      ['removed', 'worktree', 'r', 's', '/t/a', 'w'],
      ['kept', 'worktree', 'r', 's', '/t/a', 'w'],
      ['not removed', 'clone', '/c', 'EACCES'],
    ]);
    expect(rows(true)[1]?.[0]).toBe('would remove');
  });

  test('nothing remains: nothing is said', () => {
    expect(renderRemains({ nobodys: [], unreadable: [] }, terminal)).toBe('');
  });
});
