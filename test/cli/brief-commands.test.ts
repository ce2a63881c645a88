import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createColors } from 'picocolors';
import { type Invocation, Options } from '../../cli/command';
import { execute as lint } from '../../cli/commands/brief-lint';
import { execute as list } from '../../cli/commands/brief-list';
import { execute as resume } from '../../cli/commands/brief-resume';
import { execute as run } from '../../cli/commands/brief-run';
import { renderBriefs } from '../../cli/rendering/briefs';
import { fakeTerminal } from './fake-terminal';

/** Commands of briefs, as far as they need no server: what they check, and what they refuse. */
let cwd = '';
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'thermidor-brief-'));
  writeFileSync(join(cwd, 'thermidor.yaml'), '');
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const GOOD = '---\nproject: site\n---\n# Objective\nA page.\n# Deliverables\n- a page\n# Constraints\nNone.\n';

function write(name: string, text: string): string {
  writeFileSync(join(cwd, name), text);
  return name;
}

async function call(command: (invocation: Invocation) => Promise<number>, args: string[] = [], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: { USER: 'eve' } });
  const invocation = { args, options: new Options({ stateDir: join(cwd, 'state'), ...options }), terminal };
  return { exit: await command({ ...invocation, catalogue: { commands: [], nouns: {} } }), ...terminal.written };
}

describe('`thermidor brief lint`', () => {
  it('ends with 0, and with 1 if one of the files has mistakes', async () => {
    write('good.md', GOOD);
    write('bad.md', GOOD.replace('project: site', 'project: site\nmode: autom').replace('# Deliverables\n- a page\n', ''));
    expect(await call(lint, ['good.md'])).toMatchObject({ exit: 0 });
    const { exit, out, err } = await call(lint, ['good.md', 'bad.md']);
    expect(exit).toBe(1);
    expect(out + err).toMatch(/bad\.md:3:7 {2}shape\.unknown-value[\s\S]*brief\.no-section/);
    expect(JSON.parse((await call(lint, ['bad.md'], { json: true })).out)).toMatchObject({ ok: false, files: [{ file: 'bad.md' }] });
  });

  it('ends with 0 if there are only warnings', async () => {
    const { exit, out, err } = await call(lint, [write('warn.md', GOOD.replace('# Constraints\nNone.\n', ''))]);
    expect([exit, (out + err).includes('brief.no-constraints')]).toEqual([0, true]);
  });

  it('warns of a folder to work in that is not on this machine, and of none that is', async () => {
    const lintOf = async (workdir: string) => {
      const { exit, out, err } = await call(lint, [
        write('folder.md', GOOD.replace('project: site', `project: site\nworkdir: ${workdir}`)),
      ]);
      return [exit, /folder\.md:3:1[01] .*brief\.no-workdir/.test(out + err)];
    };
    expect(await lintOf('./site')).toEqual([0, true]);
    expect(await lintOf('folder.md')).toEqual([0, true]);
    expect(await lintOf('"a\\0"')).toEqual([0, true]);
    mkdirSync(join(cwd, 'site'));
    expect(await lintOf('./site')).toEqual([0, false]);
    expect(await lintOf(cwd)).toEqual([0, false]);
  });

  it('ends with 2 if it is called wrongly: no brief, and no such file', async () => {
    write('steps.yaml', 'name: a\nsteps: [{id: a, run: ls}]\n');
    await expect(call(lint, ['steps.yaml'])).rejects.toMatchObject({
      exit: 2,
      more: { hint: 'for pipelines: thermidor validate steps.yaml' },
    });
    await expect(call(lint, ['missing.md'])).rejects.toMatchObject({ exit: 2, code: 'pipeline.unreadable' });
  });
});

describe('`thermidor brief run`', () => {
  it('takes a folder to work in as it is typed: from the current one, and not from that of the worker', async () => {
    const settings = cwd;
    cwd = join(settings, 'here');
    mkdirSync(join(cwd, 'site'), { recursive: true });
    write('good.md', GOOD);
    const { exit, out, err } = await call(run, ['good.md'], { workdir: './site', dryRun: true });
    expect([exit, out.includes(`cwd: ${join(cwd, 'site')}\n`), err]).toEqual([0, true, '']);
    expect((await call(run, ['good.md'], { workdir: '../here', dryRun: true })).out).toContain(`cwd: ${cwd}\n`);
    cwd = settings;
  });
});

describe('`thermidor brief resume`', () => {
  it.each([
    [{ maxTokens: '-1' }, '--max-tokens'],
    [{ maxTokens: '0' }, '--max-tokens'],
    [{ maxTokens: 'many' }, '--max-tokens'],
    [{ maxTokens: '1000000001' }, '--max-tokens must be a whole number from 1 to 1000000000'],
    [{ maxMinutes: '1.5' }, '--max-minutes'],
    [{ maxMinutes: '43201' }, '--max-minutes must be a whole number from 1 to 43200'],
    [{ worker: true, detach: true }, 'goes without --detach'],
  ])('refuses %j before it asks a server', async (options, message) => {
    await expect(call(resume, ['site-2031-05-17-A1'], options)).rejects.toMatchObject({
      exit: 2,
      message: expect.stringContaining(message),
    });
  });
});

describe('`thermidor brief list`', () => {
  it('shows files that have not run, and passes over Markdown that is no brief', async () => {
    write('site.md', GOOD.replace('project: site', 'project: site\nbrief_id: 2031-05-17-A1'));
    write('README.md', '# Read me\n');
    const { exit, out } = await call(list, [], { json: true });
    expect([exit, JSON.parse(out)]).toEqual([
      0,
      { briefs: [{ project: 'site', briefId: '2031-05-17-A1', state: 'not started', file: 'site.md' }] },
    ]);
  });

  it('says how there would be one', async () => {
    expect(await call(list)).toMatchObject({ exit: 0, out: '', err: expect.stringContaining('brief run NAME.md') });
  });

  it('cuts what a coordinator does, and nothing in it steers the terminal', () => {
    const at = `escalate: executor:\n\u001b[31m${'x'.repeat(300)}`;
    const table = renderBriefs([{ project: 'site', state: 'waiting', at }], {
      colors: createColors(false),
      columns: () => 200,
      live: false,
    });
    expect(table).toMatch(/escalate: executor: x{59}…/);
    expect(table).not.toContain('\u001b');
  });
});
