import { rmSync } from 'node:fs';
import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import { chain, marking, ran, shop, step, texts } from './command-chain';
import { KEY } from './workshop';

describe('a command of a chain', () => {
  test('runs nothing again that is in the ledger, whichever worker recorded it', async () => {
    const at = shop();
    await at.open(['a', 'b', 'c', 'd'].map((id) => marking(at, id)));
    await chain(at, ['a', 'b']);
    await command(at.toolbox, at.call('c#1~1'), { run: KEY.run });
    const again = await chain(at, ['a', 'b', 'c', 'd']);
    expect(await texts(at, again)).toEqual(['out-a\n', 'out-b\n', 'out-c\n', 'out-d\n']);
    expect(ran(at)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('leaves results where the plain activity finds them, also behind another head', async () => {
    const at = shop();
    await at.open(['a', 'b'].map((id) => marking(at, id)));
    const { done } = await chain(at, ['a', 'b']);
    expect(await command(at.toolbox, at.call('b#1~1'), { run: KEY.run })).toEqual(done[1]?.output);
    expect((await chain(at, ['b'])).done[0]?.output).toEqual(done[1]?.output);
    expect(ran(at)).toEqual(['a', 'b']);
  });

  test('runs another try as another command', async () => {
    const at = shop();
    await at.open([marking(at, 'a')]);
    await chain(at, ['a']);
    await command(at.toolbox, at.call('a#1~2'), { run: KEY.run });
    expect(ran(at)).toEqual(['a', 'a']);
  });

  test('is reported as done if the chain is cancelled after it', async () => {
    const off = new AbortController();
    const at = shop({
      processes: {
        async run({ command: asked }) {
          if ('shell' in asked && asked.shell !== 'b') return { stdout: asked.shell, stderr: '' };
          off.abort(new Error('cancelled'));
          throw new Error('killed');
        },
      },
    });
    await at.open(['a', 'b', 'c'].map((id) => step(id, { shell: [id] })));
    const steps = ['a', 'b', 'c'].map((id) => ({ address: `${id}#1~1`, input: {} }));
    const call = at.call('a#1~1/chain', { signal: off.signal, isCancelled: () => off.signal.aborted });
    expect(await commands(at.toolbox, call, { run: KEY.run, steps })).toMatchObject({
      done: [{ output: { artifact: {} } }],
      cancelled: { startedAtMs: expect.any(Number) },
    });
  });

  test('mends a small output that a crash of the machine cost', async () => {
    const at = shop();
    await at.open([marking(at, 'a'), marking(at, 'b')]);
    const first = await chain(at, ['a', 'b']);
    const path = at.artifacts.pathOf(first.done[0]!.output.artifact!.sha256);
    rmSync(path);
    expect(await texts(at, await chain(at, ['a', 'b']))).toEqual(['out-a\n', 'out-b\n']);
    rmSync(path);
    const alone = await command(at.toolbox, at.call('a#1~1'), { run: KEY.run });
    expect((await at.artifacts.get(alone.artifact!)).toString()).toBe('out-a\n');
  });
});
