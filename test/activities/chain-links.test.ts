import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import { notify } from '../../activities/gates/notify';
import { lookUpRecorded } from '../../activities/run/ledger-lookup';
import { stages } from '../../activities/stages/stages-activity';
import type { Template } from '../../plan/expressions/expression';
import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { NotifyStep, StagesStep, Step } from '../../plan/steps/step';
import { countDisk } from '../support/disk-count';
import { chain, marking, ran, shop, step } from './command-chain';
import { KEY, outputTemplate } from './workshop';

/** Parts of a chain other than commands: messages and pipes; and failures after which the others go on. */

/** A channel that fails with each of the given failures in turn, and then takes every message. */
function channel(...fails: FailureCode[]) {
  const sent: string[] = [];
  const adapter = {
    name: 'test',
    serves: () => true,
    async deliver({ text }: { text: string }) {
      const code = fails.shift();
      if (code) throw new ThermidorFailure(code, 'the channel is down');
      sent.push(text);
    },
  };
  return { sent, channelAdapters: [adapter] };
}

const message = (id: string, text: Template, more: Partial<NotifyStep> = {}): NotifyStep => ({
  ...{ id, kind: 'notify', channel: '#news', message: text },
  ...more,
});
const pipe = (id: string, more: Partial<StagesStep> = {}): StagesStep => ({ id, kind: 'stages', stages: [], ...more });
const goesOn = { onError: [{ kind: 'continue' as const }] };

describe('a message in a chain', () => {
  test('is sent once, with the output of the command before it, and the next command runs after it', async () => {
    const { sent, ...channels } = channel();
    const at = shop(channels);
    await at.open([marking(at, 'a'), message('tell', ['it says ', ...outputTemplate('a')], { inputs: ['a'] }), marking(at, 'b')]);
    const ids = ['a', 'tell', 'b'];
    const { done } = await chain(at, ids);
    expect(done.map(({ message: text }) => text)).toEqual([undefined, expect.stringContaining('it says out-a'), undefined]);
    await chain(at, ids);
    await notify(at.toolbox, at.call('tell#1~1'), { run: KEY.run, channel: '#news' });
    expect(sent).toEqual([expect.stringContaining('it says out-a')]);
    expect(ran(at)).toEqual(['a', 'b']);
  });

  test('goes out when what came before it survives a crash of the machine', async () => {
    let syncs = 0;
    const seen: number[] = [];
    const { channelAdapters } = channel();
    const counted = channelAdapters.map((adapter) => ({ ...adapter, deliver: async () => void seen.push(syncs) }));
    const at = shop({ channelAdapters: counted });
    const batch = at.artifacts.batch.bind(at.artifacts);
    at.artifacts.batch = () => {
      const made = batch();
      const sync = async () => {
        await made.sync();
        syncs += 1;
      };
      return { ...made, sync };
    };
    await at.open([marking(at, 'a'), message('tell', ['done'])]);
    await chain(at, ['a', 'tell']);
    expect(seen).toEqual([1]);
  });

  test('is left to its own activity if the channel is down, and what came before it is not done again', async () => {
    const { sent, ...channels } = channel('channel.unavailable');
    const at = shop(channels);
    await at.open([marking(at, 'a'), message('tell', ['hello']), marking(at, 'b')]);
    expect(await chain(at, ['a', 'tell', 'b'])).toMatchObject({ done: [{ output: { artifact: {} } }], alone: true });
    await notify(at.toolbox, at.call('tell#1~1'), { run: KEY.run, channel: '#news' });
    await chain(at, ['a', 'tell', 'b']);
    expect(sent).toHaveLength(1);
    expect(ran(at)).toEqual(['a', 'b']);
  });

  test('is left to its own activity if the channel does not answer', async () => {
    const rings: (() => void)[] = [];
    const timer = (_ms: number, ring: () => void) => {
      rings.push(ring);
      return () => undefined;
    };
    const hangs = { name: 'test', serves: () => true, deliver: () => new Promise<void>(() => rings.at(-1)?.()) };
    const at = shop({ channelAdapters: [hangs], timer });
    await at.open([marking(at, 'a'), message('tell', ['hello'])]);
    expect(await chain(at, ['a', 'tell'])).toMatchObject({ done: [{}], alone: true });
  });

  test('that a channel refuses is the chain’s failure', async () => {
    const at = shop(channel('channel.refused', 'channel.refused'));
    await at.open([message('tell', ['hello']), marking(at, 'b')]);
    const { done, failure } = await chain(at, ['tell', 'b']);
    expect([done.length, failure?.code]).toEqual([0, 'channel.refused']);
    expect(ran(at)).toEqual([]);
  });

  test('is not sent by a chain that is called off', async () => {
    const off = new AbortController();
    const run = async () => {
      off.abort(new Error('off'));
      return { stdout: 'a', stderr: '' };
    };
    const { sent, ...channels } = channel();
    const at = shop({ ...channels, processes: { run } });
    await at.open([step('a', { shell: ['a'] }), message('tell', ['hello'])]);
    const call = at.call('a#1~1/chain', { signal: off.signal, isCancelled: () => off.signal.aborted });
    const steps = ['a', 'tell'].map((id) => ({ address: `${id}#1~1`, input: {} }));
    expect(await commands(at.toolbox, call, { run: KEY.run, steps })).toMatchObject({ done: [{}], cancelled: {} });
    expect(sent).toEqual([]);
  });
});

describe('a pipe in a chain', () => {
  test('has the output of the command before it, the next command has its own, and both are found by the step’s own activity', async () => {
    const at = shop();
    const steps: Step[] = [
      step('a', { shell: ['echo \'[{"n":1},{"n":2}]\''] }),
      pipe('first', { stages: [{ name: 'head', words: [], flags: { n: ['1'] } }], stdin: outputTemplate('a'), inputs: ['a'] }),
      step('b', { shell: ['cat'] }, { stdin: outputTemplate('first'), inputs: ['first'] }),
    ];
    await at.open(steps);
    const { done } = await chain(at, ['a', 'first', 'b']);
    const text = async (i: number) => JSON.parse((await at.artifacts.get(done[i]!.output.artifact!)).toString());
    expect([await text(1), await text(2)]).toEqual([{ n: 1 }, { n: 1 }]);
    expect(await stages(at.toolbox, at.call('first#1~1'), { run: KEY.run })).toEqual({ kind: 'done', output: done[1]!.output });
    const calls = [{ call: 'first#1~1', kind: 'stages' as const }];
    expect(await lookUpRecorded(at.toolbox, KEY, { calls })).toEqual({ done: { 'first#1~1': done[1]!.output }, looked: 1 });
  });
});

describe('a failure in a chain', () => {
  const failing = (at: ReturnType<typeof shop>, id: string, more = {}) =>
    step(id, { shell: [`echo ${id} >> ${at.root}/ran; exit 3`] }, more);

  test('that the chain continues past is one of its results, and a worker that takes over continues past it', async () => {
    const at = shop();
    await at.open([marking(at, 'a'), failing(at, 'b', goesOn), marking(at, 'c')]);
    const first = await chain(at, ['a', 'b', 'c']);
    expect(first.done.map(({ failure }) => failure?.code)).toEqual([undefined, 'command.failed', undefined]);
    const { failure, ...rest } = await chain(at, ['a', 'b', 'c']);
    expect(rest.done.map(({ failure: own }) => own?.message)).toEqual(first.done.map(({ failure: own }) => own?.message));
    expect(failure).toBeUndefined();
    expect(ran(at)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    ['nothing lets the chain continue', {}],
    ['it is tried again', { ...goesOn, retry: { max: 2 } }],
    ['a channel is notified first', { onError: [{ kind: 'notify', channel: '#news' }, { kind: 'continue' }] }],
    ['the rest is skipped', { onError: [{ kind: 'skip_rest' }] }],
  ])('ends it where %s', async (_why, more) => {
    const at = shop();
    await at.open([failing(at, 'a', more), marking(at, 'b')]);
    const { done, failure } = await chain(at, ['a', 'b']);
    expect([done.length, failure?.code]).toEqual([0, 'command.failed']);
    expect(ran(at)).toEqual(['a']);
  });

  test('is no result to the step’s own activity: another try runs it again', async () => {
    const at = shop();
    await at.open([failing(at, 'a', goesOn), marking(at, 'b')]);
    await chain(at, ['a', 'b']);
    await expect(command(at.toolbox, at.call('a#1~2'), { run: KEY.run })).rejects.toMatchObject({ code: 'command.failed' });
    expect(await lookUpRecorded(at.toolbox, KEY, { calls: [{ call: 'a#1~1', kind: 'command' }] })).toEqual({ done: {}, looked: 1 });
    expect(ran(at)).toEqual(['a', 'b', 'a']);
  });

  test('costs no sync of its own', async () => {
    const at = shop();
    await at.open([step('w', { shell: ['true'] }), failing(at, 'a', goesOn), step('b', { shell: ['true'] })]);
    await chain(at, ['w']);
    expect((await countDisk(() => chain(at, ['a', 'b']))).syncs).toBe(1);
  });
});

test('heartbeats of a chain say which of its steps have failed', async () => {
  const told: unknown[] = [];
  let beaten: () => void = () => undefined;
  const beat = new Promise<void>((resolve) => {
    beaten = resolve;
  });
  const run = async ({ command: asked }: { command: object }) => {
    if ('shell' in asked && asked.shell === 'a') throw new ThermidorFailure('command.failed', 'exit 1');
    await beat;
    return { stdout: '', stderr: '' };
  };
  const at = shop({ processes: { run } });
  await at.open([step('a', { shell: ['a'] }, goesOn), step('b', { shell: ['b'] })]);
  const call = at.call('a#1~1/chain', {
    heartbeat({ step: id, done = [] }) {
      told.push([id, done.map(({ failed }) => failed)]);
      if (id === 'b#1~1') beaten();
    },
  });
  await commands(at.toolbox, call, { run: KEY.run, steps: ['a', 'b'].map((id) => ({ address: `${id}#1~1`, input: {} })) });
  expect(told).toContainEqual(['b#1~1', [true]]);
});
