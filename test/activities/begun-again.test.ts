import type { ActivityCall } from '../../activities/activity-call';
import { agent } from '../../activities/agent/agent';
import { command } from '../../activities/commands/command';
import { commands } from '../../activities/commands/commands';
import { notify } from '../../activities/gates/notify';
import { stages } from '../../activities/stages/stages-activity';
import type { Toolbox } from '../../activities/toolbox';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { Begins } from '../../plan/steps/step-activity';
import { step } from './command-chain';
import { codeOf, KEY, type Workshop, withAgent, workshop } from './workshop';

/** The effects that work reports as begun, for each kind of work. */
type Effect = () => Promise<void>;

/** A worker's toolbox over a folder. Whatever the effect, it calls this function. */
function worker(effect: Effect, root?: string): Workshop {
  return workshop(
    {
      nowMs: () => 0,
      processes: {
        async run() {
          await effect();
          return { stdout: 'out\n', stderr: '' };
        },
      },
      channelAdapters: [{ name: 'test', serves: () => true, deliver: effect }],
      ...withAgent({
        name: 'fake',
        async *run() {
          await effect();
          yield { role: 'assistant', text: 'said' };
        },
      }),
    },
    root,
  );
}

const STEPS: Step[] = [
  step('a', { shell: ['a'] }),
  { id: 'pipe', kind: 'stages', stages: [{ name: 'exec', words: [['b']], flags: {} }] },
  { id: 'tell', kind: 'notify', channel: '#x', message: ['hello'] },
  { id: 'bull', kind: 'agent', agent: 'bull' },
];

type Work = (toolbox: Toolbox, call: (id: string) => ActivityCall) => Promise<Begins>;
const chained =
  (id: string): Work =>
  async (toolbox, call) => {
    const input = { run: KEY.run, steps: [{ address: `${id}#1~1`, input: {} }] };
    const { done, alone, failed } = await commands(toolbox, call(`${id}#1~1/chain`), input);
    if (alone) throw new ThermidorFailure('channel.unavailable', 'it is for its own activity');
    return done[0] ?? failed ?? {};
  };

const WORKS: [string, Work][] = [
  ['a command', (toolbox, call) => command(toolbox, call('a#1~1'), { run: KEY.run })],
  ['a pipe', (toolbox, call) => stages(toolbox, call('pipe#1~1'), { run: KEY.run })],
  ['a message', (toolbox, call) => notify(toolbox, call('tell#1~1'), { run: KEY.run, channel: '#x' })],
  ['a notice of the run', (toolbox, call) => notify(toolbox, call('a#1~1/notice'), { run: KEY.run, channel: '#x', message: 'hello' })],
  ['an agent', (toolbox, call) => agent(toolbox, call('bull#1~1'), { run: KEY.run })],
  ['a command of a chain', chained('a')],
  ['a pipe of a chain', chained('pipe')],
  ['a message of a chain', chained('tell')],
];

/** The work begins on a worker that dies. */
async function lost(shop: Workshop, work: Work, attempt: number): Promise<void> {
  const gone = new AbortController();
  await new Promise<void>((begun) => {
    const dead = worker(() => {
      begun();
      return new Promise((_, reject) => gone.signal.addEventListener('abort', () => reject(new Error('killed'))));
    }, shop.root);
    const signal = gone.signal;
    work(dead.toolbox, (id) => shop.call(id, { attempt, scheduledAtMs: attempt, signal })).catch(() => undefined);
  });
  stopped.push(() => gone.abort(new Error('killed')));
}
const stopped: (() => void)[] = [];
afterEach(() => {
  for (const stop of stopped.splice(0)) stop();
});

const calledAs = (shop: Workshop, attempt: number) => (id: string) => shop.call(id, { attempt, scheduledAtMs: attempt });

test.each(WORKS)('%s says when it was begun, if workers were lost in it', async (_, work) => {
  const shop = worker(async () => undefined);
  await shop.open(STEPS);
  await lost(shop, work, 1);
  await lost(shop, work, 2);
  const { begun } = await work(shop.toolbox, calledAs(shop, 3));
  expect(begun).toHaveLength(3);
  expect([...(begun ?? [])].sort((a, b) => a - b)).toEqual(begun);
});

test.each(WORKS)('%s that has begun once says nothing', async (_, work) => {
  const shop = worker(async () => undefined);
  await shop.open(STEPS);
  expect((await work(shop.toolbox, calledAs(shop, 1))).begun).toBeUndefined();
});

test.each(WORKS)('%s that fails says it, too', async (_, work) => {
  const shop = worker(async () => {
    throw new ThermidorFailure('channel.refused', 'no');
  });
  await shop.open(STEPS);
  await lost(shop, work, 1);
  const { begun } = await work(shop.toolbox, calledAs(shop, 2)).catch((error: ThermidorFailure) => error.work ?? {});
  expect(begun).toHaveLength(2);
});

const ENDS_BY_ITSELF = WORKS.filter(([name]) => !name.includes('command') && !name.includes('chain'));
test.each(ENDS_BY_ITSELF)('%s that could not go on, and is taken up again, has not begun again', async (_, work) => {
  let down = true;
  const shop = worker(async () => {
    if (down) throw new ThermidorFailure('store.unavailable', 'full', { unanswered: true });
  });
  await shop.open(STEPS);
  expect(await codeOf(work(shop.toolbox, calledAs(shop, 1)))).toBe('store.unavailable');
  down = false;
  expect((await work(shop.toolbox, calledAs(shop, 2))).begun).toBeUndefined();
});
