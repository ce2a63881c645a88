import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Invocation, Options } from '../../cli/command';
import { forget, list } from '../../cli/commands/memory';
import { EXIT } from '../../cli/exit';
import { remember } from '../../plan/memory/remember';
import { scratchFolder } from '../support/scratch-folder';
import { fakeTerminal } from './fake-terminal';

/** Lessons of post-mortems, on the command line. */
let cwd = '';
beforeEach(() => {
  cwd = scratchFolder();
});

const catalogue = { commands: [], nouns: {} };
async function call(command: (invocation: Invocation) => Promise<number>, args: string[], options: Record<string, unknown> = {}) {
  const terminal = fakeTerminal({ cwd, env: { USER: 'eve' } });
  return { exit: await command({ args, options: new Options(options), terminal, catalogue }), ...terminal.written };
}

const learned = {
  lessons: [{ kind: 'pattern', text: 'Lint first.' }],
  confirmed: [],
  run: 'brief-1',
  runId: 'a',
  day: '2026-01-02',
} as const;
function withMemory(before = '- mine\n- broken <!-- m-1 -->\n'): string {
  const { text } = remember(before, learned, 'T');
  writeFileSync(join(cwd, 'team.md'), text);
  return text;
}

describe('memory list', () => {
  it('shows each entry with its id and the runs behind it, and warns of what cannot be read', async () => {
    withMemory();
    const { exit, out, err } = await call(list, ['team.md']);
    expect(exit).toBe(EXIT.done);
    expect(out).toMatch(
      /^m-[0-9a-f]{8} {2}note +mine {2}written by a person\nm-[0-9a-f]{8} {2}pattern +Lint first\. {2}1 run, last 2026-01-02, first in brief-1\n$/,
    );
    expect(err).toMatch(/line 2: .*left alone/);
  });

  it('prints one JSON document', async () => {
    withMemory();
    const { out } = await call(list, ['team.md'], { json: true });
    expect(JSON.parse(out)).toMatchObject({
      file: 'team.md',
      entries: [
        { kind: 'note', text: 'mine' },
        { kind: 'pattern', confirmed: 1, first: '2026-01-02', run: 'brief-1' },
      ],
      problems: [expect.stringContaining('line 2')],
    });
  });

  it('says that there is none yet', async () => {
    await expect(call(list, ['team.md'])).resolves.toMatchObject({
      exit: EXIT.done,
      out: '',
      err: expect.stringContaining('no team.md yet'),
    });
  });

  it.each([
    ['its memory', 'memory: team.md\n'],
    ['what its post-mortem writes', 'post_mortem: {memory: team.md}\n'],
  ])('takes a pipeline: %s is meant', async (_, keys) => {
    withMemory();
    writeFileSync(join(cwd, 'p.yaml'), `name: p\n${keys}steps: [{id: a, run: "true"}]\n`);
    expect((await call(list, ['p.yaml'])).out).toContain('Lint first.');
  });

  it('refuses a pipeline without one, and a file that cannot be read', async () => {
    writeFileSync(join(cwd, 'p.yaml'), 'name: p\nsteps: [{id: a, run: "true"}]\n');
    await expect(call(list, ['p.yaml'])).rejects.toMatchObject({ code: 'usage' });
    mkdirSync(join(cwd, 'team.md'));
    await expect(call(list, ['team.md'])).rejects.toMatchObject({ code: 'memory.unusable' });
  });
});

describe('memory forget', () => {
  it('removes entries by their ids, a person’s too, and leaves everything else', async () => {
    const text = withMemory('# Ours\n\n- mine\n');
    const { entries } = JSON.parse((await call(list, ['team.md'], { json: true })).out) as { entries: { id: string }[] };
    const { exit, out } = await call(forget, ['team.md', ...entries.map(({ id }) => id)]);
    expect([exit, out.match(/forgotten/g)?.length]).toEqual([EXIT.done, 2]);
    expect(readFileSync(join(cwd, 'team.md'), 'utf8')).toBe('# Ours\n\n');
    expect(text).toContain('Lint first');
  });

  it.each([['an unknown id'], ['one unknown id of two'], ['no file']])('changes nothing for %s', async (what) => {
    const text = what === 'no file' ? undefined : withMemory();
    const own = text === undefined ? [] : [/m-[0-9a-f]{8}/.exec(text)?.[0] ?? ''];
    const ids = [...(what.startsWith('one') ? own : []), 'm-00000000'];
    await expect(call(forget, ['team.md', ...ids])).rejects.toMatchObject({ code: 'memory.no-entry', exit: EXIT.failed });
    if (text !== undefined) expect(readFileSync(join(cwd, 'team.md'), 'utf8')).toBe(text);
  });
});
