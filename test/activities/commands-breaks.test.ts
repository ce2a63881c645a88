import type { Progress } from '../../activities/activity-call';
import { commands } from '../../activities/commands/commands';
import { standStill } from '../support/fake-timers';
import { chain, marking, ran, shop, step } from './command-chain';
import { KEY } from './workshop';

afterEach(() => jest.useRealTimers());

describe('a chain of commands that is under way', () => {
  test('says in its heartbeat which command is under way and since when, and when those before it ran', async () => {
    standStill('setInterval', 'clearInterval');
    const processes = {
      run: async () => {
        jest.advanceTimersByTime(1000);
        return { stdout: '', stderr: '' };
      },
    };
    const at = shop({ processes });
    await at.open(['a', 'b'].map((id) => step(id, { shell: ['true'] })));
    const beats: Progress[] = [];
    const steps = ['a', 'b'].map((id) => ({ address: `${id}#1~1`, input: {} }));
    const { done } = await commands(at.toolbox, at.call('a#1~1/chain', { heartbeat: (beat) => beats.push(beat) }), { run: KEY.run, steps });
    expect(beats[0]).toEqual({ turn: 0, step: 'a#1~1', startedAtMs: expect.any(Number), done: [] });
    const [first, second] = done.map(({ startedAtMs, endedAtMs }) => ({ startedAtMs, endedAtMs }));
    expect(beats.at(-1)).toEqual({ turn: 1, step: 'b#1~1', startedAtMs: expect.any(Number), done: [first] });
    expect(beats.at(-1)?.startedAtMs).toBeLessThanOrEqual(second?.startedAtMs ?? 0);
  });

  test('comes back at a boundary after about a second', async () => {
    const nowMs = (): number => (ran(at).length === 0 ? 0 : 1001);
    const at = shop({ nowMs });
    await at.open(['a', 'b', 'c'].map((id) => marking(at, id)));
    expect((await chain(at, ['a', 'b', 'c'])).done).toHaveLength(1);
    expect(ran(at)).toEqual(['a']);
    expect((await chain(at, ['b', 'c'])).done).toHaveLength(2);
  });

  test('comes back before its answer is too large for a payload', async () => {
    const at = shop();
    const big = (id: string) => step(id, { shell: ["head -c 60000 /dev/zero | tr '\\0' x"] }, { readsStdout: true });
    const ids = Array.from({ length: 12 }, (_, n) => `s${n}`);
    const processes = { run: async () => ({ stdout: 'x'.repeat(60_000), stderr: '' }) };
    const { toolbox } = shop({ processes }, at.root);
    await at.open(ids.map(big));
    expect((await chain(at, ids, {}, toolbox)).done).toHaveLength(9);
  });

  test('is cancelled between commands, and no further one begins', async () => {
    const at = shop();
    const stop = new AbortController();
    const reason = new Error('cancelled');
    const processes = {
      run: async () => {
        stop.abort(reason);
        return { stdout: '', stderr: '' };
      },
    };
    const { toolbox } = shop({ processes }, at.root);
    await at.open(['a', 'b'].map((id) => step(id, { shell: ['true'] })));
    const steps = ['a', 'b'].map((id) => ({ address: `${id}#1~1`, input: {} }));
    const call = at.call('a#1~1/chain', { signal: stop.signal });
    await expect(commands(toolbox, call, { run: KEY.run, steps })).rejects.toBe(reason);
  });
});
