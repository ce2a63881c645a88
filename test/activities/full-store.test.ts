import type { ActivityCall } from '../../activities/activity-call';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { notify } from '../../activities/gates/notify';
import { stages } from '../../activities/stages/stages-activity';
import { storeOutput } from '../../activities/store-output';
import type { WorkerToolbox } from '../../activities/toolbox';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { Ledger } from '../../records/ledger';
import { DEPLOY, planned, shown, yes } from './category-step';
import { chain, step } from './command-chain';
import { aroundLines, codeOf, KEY, type Workshop, withAgent, workshop } from './workshop';

const STAGE = { name: 'exec' as const, words: [['a']], flags: {} };
const CALLS = { key: KEY, attempt: 1, heartbeat: () => undefined };

/** A store that is full from a moment on, until it has refused so many times. */
interface Disk {
  toolbox: WorkerToolbox;
  effects: string[];
  refused: number;
  fill(refusals: number): void;
}

/** Every effect is noted, and fills the disk afterwards. */
function smallDisk(refusals: number): Disk & { shop: Workshop } {
  let left = 0;
  const fill = (times: number): void => {
    left = times;
  };
  const disk = { effects: [] as string[], refused: 0, fill };
  const check = (): void => {
    if (left === 0) return;
    left -= 1;
    disk.refused += 1;
    throw new ThermidorFailure('store.unavailable', 'the disk is full');
  };
  const did = (what: string): void => {
    disk.effects.push(what);
    disk.fill(refusals);
  };
  const shop = workshop({
    unstored: new Map(),
    // No time passes between two tries.
    timer: (_, ring) => {
      const soon = setImmediate(ring);
      return () => clearImmediate(soon);
    },
    processes: {
      async run({ command: asked }) {
        did('shell' in asked ? asked.shell : asked.argv.join(' '));
        return { stdout: 'out\n', stderr: '' };
      },
    },
    channelAdapters: [{ name: 'test', serves: () => true, deliver: async ({ body }) => did(body) }],
    ...withAgent({
      name: 'fake',
      async *run() {
        did('asked');
        yield { role: 'assistant', text: 'said' };
      },
    }),
  });
  const { artifacts, ledger } = shop;
  const full: Ledger = {
    ...aroundLines(ledger, (_, write) => {
      check();
      return write();
    }),
    async putIfAbsent(run, name, value) {
      check();
      return await ledger.putIfAbsent(run, name, value);
    },
    async recordLog(run, log) {
      const records = await ledger.recordLog(run, log);
      return {
        ...records,
        async putIfAbsent(name, value) {
          check();
          return await records.putIfAbsent(name, value);
        },
        async begin(name) {
          check();
          return await records.begin(name);
        },
      };
    },
  };
  const put: typeof artifacts.put = async (content, as) => {
    check();
    return await artifacts.put(content, as);
  };
  const store = { put, get: artifacts.get.bind(artifacts), has: artifacts.has.bind(artifacts), locate: artifacts.locate.bind(artifacts) };
  const batch = () => ({ sync: async () => undefined, put });
  const toolbox: WorkerToolbox = { ...shop.toolbox, ledger: full, artifacts: { ...store, batch } };
  return Object.assign(disk, { shop, toolbox });
}

const EFFECTS: [string, (toolbox: WorkerToolbox, call: (id: string) => ActivityCall) => Promise<unknown>][] = [
  ['a command', (toolbox, call) => command(toolbox, call('a#1~1'), { run: KEY.run })],
  ['a stage of a pipe', (toolbox, call) => stages(toolbox, call('p#1~1'), { run: KEY.run })],
  ['a reply of an agent', (toolbox, call) => agent(toolbox, call('bull#1~1'), { run: KEY.run })],
  ['a message', (toolbox, call) => notify(toolbox, call('a#1~1/notice'), { run: KEY.run, channel: '#x', message: 'hello' })],
];

async function opened(refusals: number) {
  const disk = smallDisk(refusals);
  const { shop } = disk;
  await shop.open([
    step('a', { shell: ['a'] }),
    step('b', { shell: ['b'] }),
    { id: 'p', kind: 'stages', stages: [STAGE] },
    { id: 'bull', kind: 'agent', agent: 'bull' },
  ]);
  return disk;
}

describe('if the store is full once something is done', () => {
  test.each(EFFECTS)('%s is not done again: only the storing is', async (_, work) => {
    const disk = await opened(5);
    await work(disk.toolbox, disk.shop.call);
    expect(disk).toMatchObject({ effects: [expect.any(String)], refused: 5 });
    await work(disk.toolbox, (id) => disk.shop.call(id, { attempt: 2 }));
    expect(disk.effects).toHaveLength(1);
  });

  test('no command of a chain is done again', async () => {
    const disk = await opened(5);
    const { done, failure } = await chain(disk.shop, ['a', 'b'], {}, disk.toolbox);
    expect([done.length, failure, disk.effects]).toEqual([2, undefined, ['a', 'b']]);
  });

  test('the next attempt in the same process stores what the one before could not', async () => {
    const disk = await opened(Number.POSITIVE_INFINITY);
    const late = new AbortController();
    let beats = 0;
    const notes: ActivityCall['notes'] = {};
    const waiting = command(
      {
        ...disk.toolbox,
        timer: (_, ring) => {
          beats += 1;
          if (beats < 3) setImmediate(ring);
          else late.abort(new ThermidorFailure('worker.lost', 'out of time'));
          return () => undefined;
        },
      },
      { ...CALLS, id: 'a#1~1', signal: late.signal, notes },
      { run: KEY.run },
    );
    expect(await codeOf(waiting)).toBe('worker.lost');
    expect(notes).toEqual({ trouble: 'the disk is full' });
    disk.fill(0);
    await command(disk.toolbox, disk.shop.call('a#1~1', { attempt: 2 }), { run: KEY.run });
    expect(disk.effects).toEqual(['a']);
  });
});

test.each(EFFECTS)('if the store is full before, %s is not begun', async (_, work) => {
  const disk = await opened(0);
  disk.fill(1);
  expect(await codeOf(work(disk.toolbox, disk.shop.call))).toBe('store.unavailable');
  expect(disk.effects).toEqual([]);
  await work(disk.toolbox, disk.shop.call);
  expect(disk.effects).toHaveLength(1);
});

describe('what was begun and has no result, because its worker was killed', () => {
  const killed = async (shop: Workshop, id: string, log = 'commands'): Promise<void> => {
    const records = await shop.ledger.recordLog(KEY, log);
    await records.claim([id]);
    await records.begin(id);
    await records.close();
  };
  const TELL: Step = { id: 'tell', kind: 'notify', category: 'deploy', channel: '#x', message: ['we ship'] };
  const SENT = 'tell#1~1/delivered/test/1';

  test('is sent again if it is a message', async () => {
    const disk = await opened(0);
    await killed(disk.shop, 'a#1~1/notice/delivered/test/1', 'messages');
    await notify(disk.toolbox, disk.shop.call('a#1~1/notice', { attempt: 2 }), { run: KEY.run, channel: '#x', message: 'hello' });
    expect(disk.effects).toEqual(['hello']);
  });

  test('is not sent again if the message is an action of a category', async () => {
    const { shop, toolbox, effects } = smallDisk(0);
    await shop.open([TELL]);
    const input = { run: KEY.run, channel: '#x' };
    const { contentSha256 } = await shown(shop, 'tell', input);
    await killed(shop, SENT, 'messages');
    const again = notify(toolbox, shop.call('tell#1~1', { attempt: 2 }), { ...input, approvals: [yes(contentSha256)] });
    expect(await codeOf(again)).toBe('action.unknown');
    expect(effects).toEqual([]);
  });

  test('is not sent again if nobody answered: it may have been taken', async () => {
    const details = { unanswered: true };
    let sent = 0;
    const deliver = async () => {
      sent += 1;
      throw new ThermidorFailure('channel.unavailable', 'no answer', details);
    };
    const shop = workshop({ channelAdapters: [{ name: 'test', serves: () => true, deliver }] });
    await shop.open([TELL, { ...TELL, id: 'plain', category: undefined } as never]);
    const input = { run: KEY.run, channel: '#x' };
    const approvals = [yes((await shown(shop, 'tell', input)).contentSha256)];
    const send = (id: string, attempt: number) => codeOf(notify(shop.toolbox, shop.call(id, { attempt }), { ...input, approvals }));
    expect([await send('tell#1~1', 1), await send('tell#1~1', 2), sent]).toEqual(['channel.unavailable', 'action.unknown', 1]);
    expect([await send('plain#1~1', 1), await send('plain#1~1', 2), sent]).toEqual(['channel.unavailable', 'channel.unavailable', 3]);
  });

  test('is sent if the channel reported at the first try that it was down', async () => {
    let down = true;
    const sent: string[] = [];
    const shop = workshop({
      channelAdapters: [
        {
          name: 'test',
          serves: () => true,
          async deliver({ body }) {
            if (down) throw new ThermidorFailure('channel.unavailable', 'it answered 503');
            sent.push(body);
          },
        },
      ],
    });
    await shop.open([TELL]);
    const input = { run: KEY.run, channel: '#x' };
    const approvals = [yes((await shown(shop, 'tell', input)).contentSha256)];
    const send = (attempt: number) => notify(shop.toolbox, shop.call('tell#1~1', { attempt }), { ...input, approvals });
    expect(await codeOf(send(1))).toBe('channel.unavailable');
    down = false;
    await send(2);
    await send(3);
    expect(sent).toEqual(['we ship']);
  });

  test('is done again', async () => {
    const disk = await opened(0);
    await killed(disk.shop, 'a#1~1');
    await command(disk.toolbox, disk.shop.call('a#1~1', { attempt: 2 }), { run: KEY.run });
    expect(disk.effects).toEqual(['a']);
  });

  test('is not done again if it is an action of a category', async () => {
    const { shop, toolbox, effects } = smallDisk(0);
    await shop.open([DEPLOY]);
    const input = await planned(shop, 'prod');
    const { contentSha256 } = await shown(shop, 'deploy', input);
    await killed(shop, 'deploy#1~1');
    const again = command(toolbox, shop.call('deploy#1~1', { attempt: 2 }), { ...input, approvals: [yes(contentSha256)] });
    expect(await codeOf(again)).toBe('action.unknown');
    expect(effects).toEqual([]);
  });
});

test('a result asks for its disk every five seconds at most, however long that is full', async () => {
  const waits: number[] = [];
  let left = 12;
  const timer = (ms: number, ring: () => void) => {
    waits.push(ms);
    const soon = setImmediate(ring);
    return () => clearImmediate(soon);
  };
  const { toolbox, call } = workshop({ timer });
  const store = async () => {
    if (left-- > 0) throw new ThermidorFailure('store.unavailable', 'the disk is full');
    return 'stored';
  };
  expect(await storeOutput(toolbox, call('a#1~1'), store)).toBe('stored');
  expect(waits).toEqual([1000, 2000, 4000, ...Array.from({ length: 9 }, () => 5000)]);
});
