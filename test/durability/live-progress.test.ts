import type { WaitReason } from '../../client/wait-reason';
import { step, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/** Facts that only heartbeats tell while they happen, not the run itself: observed from outside, in a real run. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.onSharedServer();
  scratch.follow('worker');
}, SET_UP_MS);
afterAll(() => scratch.close());

async function why(run: string): Promise<WaitReason[]> {
  return (await scratch.json<{ reasons: WaitReason[] }>('why', run)).reasons;
}

test('of commands that follow each other the running one is shown by status, why and follow, in order', async () => {
  const steps = [
    { id: 'greet', run: 'echo hello' },
    { id: 'send', run: 'echo sent' },
    { id: 'slow', run: 'while [ ! -e go ]; do sleep 0.02; done' },
    { id: 'after', run: 'echo after' },
  ];
  scratch.write('chain.yaml', JSON.stringify({ name: 'chain', steps }));
  const following = scratch.follow('run', 'chain.yaml', '--id', 'chain');
  await following.untilLine(/^\S+ +run +running/);
  const view = await untilStatus(scratch, 'chain', 'slow is running', (seen) =>
    seen.steps.some(({ id, state }) => id === 'slow' && state === 'running'),
  );
  expect(view.steps.map(({ id, state }) => `${id} ${state}`)).toEqual(['greet done', 'send done', 'slow running', 'after pending']);
  expect((await why('chain')).map((reason) => [reason.kind, reason.step, reason.since])).toEqual([
    ['works', 'slow', step(view, 'slow').startedAt],
  ]);
  await following.untilLine(/ slow +running/);
  scratch.write('go', '');
  const { out } = await following.endsWith(0);
  const told = out.split('\n').flatMap((line) => {
    const [, what, state] = /^\d\d:\d\d:\d\d {2}(\w+) +(\w+)/.exec(line) ?? [];
    return what === undefined ? [] : [`${what} ${state}`];
  });
  const inOrder = ['run running', 'slow running', 'slow done', 'after done', 'run completed'];
  expect(told.filter((line) => inOrder.includes(line))).toEqual(inOrder);
  expect([told[0], told.at(-1)]).toEqual(['run running', 'run completed']);
});

test('of an agent at work its turn is shown', async () => {
  scratch.write('pipelines/agent.yaml', 'name: agent\nagents: {w: {role: Works., tools: [list_files]}}\nsteps: [{id: work, agent: w}]');
  scratch.write('pipelines/scripts/hangs.yaml', 'replies: {work: [{calls: [{tool: list_files, args: {}}], hang: true}]}');
  const following = scratch.follow('run', 'pipelines/agent.yaml', '--script', 'hangs', '--id', 'agent');
  await following.untilLine(/ work +running/);
  // Its first reply called for something, which has been done.
  await untilStatus(scratch, 'agent', 'its second reply is awaited', (view) => view.steps.some(({ turn }) => turn === 2));
  expect(await why('agent')).toMatchObject([{ kind: 'works', step: 'work', text: expect.stringContaining('turn 2') }]);
  expect(await scratch.ask('cancel', 'agent')).toMatchObject({ code: 0 });
  await until('the run is over', () => following.ended);
});
