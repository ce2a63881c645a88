import { Options } from '../../cli/command';
import { renderGate } from '../../cli/rendering/gate';
import { renderEntry } from '../../cli/rendering/journal';
import { renderTree } from '../../cli/rendering/tree';
import { renderWhy } from '../../cli/rendering/why';
import { starterHere } from '../../cli/starting/starter';
import { reasonsOf } from '../../client/wait-reasons';
import { type Directory, NOBODY } from '../../plan/people/people';
import { claimedStarter, type Starter } from '../../plan/people/starter';
import { fakeTerminal } from './fake-terminal';
import { at, gateView, runView, stepView } from './views';

const ANN: Directory = { people: { ann: { token: 'secret://env/ANN' }, bob: {} }, groups: {} };
const TOKEN = 'a token of ann herself';

function starter(values: Record<string, unknown>, env: NodeJS.ProcessEnv, user: string | undefined, directory = ANN) {
  const configuration = { user: { value: user, source: 'test' }, directory: { value: directory, source: 'test' } };
  return starterHere({ options: new Options(values), terminal: fakeTerminal({ env }) }, configuration);
}

describe('who starts a run at a terminal', () => {
  test('is claimed without a token', async () => {
    expect(await starter({}, {}, 'ann')).toEqual({ startedBy: 'ann' });
    expect(await starter({}, { THERMIDOR_TOKEN: '' }, 'ann')).toEqual({ startedBy: 'ann' });
  });

  test('brings the trace that their shell is in, and no text that is none', async () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(await starter({}, { TRACEPARENT: traceparent }, 'ann')).toEqual({ startedBy: 'ann', traceparent });
    expect(await starter({}, { TRACEPARENT: 'rubbish' }, 'ann')).toEqual({ startedBy: 'ann' });
  });

  test.each([
    ['as it is', { token: TOKEN }, {}],
    ['by its reference', { token: 'secret://env/MINE' }, { MINE: TOKEN }],
    ['from the environment', {}, { THERMIDOR_TOKEN: TOKEN }],
  ])('is proven by a token given %s', async (_what, values, env) => {
    expect(await starter(values, env, 'ann')).toEqual({ startedBy: 'ann', token: TOKEN });
    expect(await starter(values, env, 'eve', NOBODY)).toEqual({ startedBy: 'eve', token: TOKEN });
  });

  test.each(['bob', 'eve', 'constructor'])('learns before the start that a token of %s proves nothing', async (user) => {
    await expect(starter({ token: TOKEN }, {}, user)).rejects.toMatchObject({
      code: 'usage',
      more: { hint: expect.stringContaining('THERMIDOR_USER') },
    });
    // The variable is there for every command.
    expect(await starter({}, { THERMIDOR_TOKEN: TOKEN }, user)).toEqual({ startedBy: user });
  });

  test('gives no empty token', async () => {
    await expect(starter({ token: '' }, {}, 'ann')).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('who started a run is shown with what it is worth', () => {
  const { colors } = fakeTerminal();
  const STARTERS: [string, Starter][] = [
    ['ann (proven)', { kind: 'person', name: 'ann', identity: 'proven' }],
    ['ann (claimed)', claimedStarter('ann')],
    ['schedule nightly (claimed)', { kind: 'schedule', schedule: 'nightly' }],
  ];

  test.each(STARTERS)('by the tree, why and the journal: %s', (text, startedBy) => {
    expect(renderTree(runView([stepView('a')], { startedBy }), { colors, columns: 120, now: Date.parse(at(60)) })[0]).toContain(
      `started by ${text}`,
    );
    expect(renderWhy({ run: 'r1', state: 'waiting', startedBy }, [], colors, 0)).toContain(`started by ${text}`);
    const event = { kind: 'run', state: 'running', startedBy } as const;
    expect(renderEntry({ seq: 1, at: at(0), ...event }, colors)).toContain(`by ${text}`);
  });

  test('without steering the terminal', () => {
    const tree = renderTree(runView([], { startedBy: claimedStarter('a\u001b[2J\nb') }), { colors, columns: 120, now: 0 });
    expect(tree[0]).not.toContain('\u001b');
    expect(tree).toHaveLength(1);
  });

  test('at the gate that it bears on, in the tree’s and why’s words', () => {
    const note = 'Started by ann (claimed). The starter is not proven, so 2 different people must agree.';
    const gate = gateView('ask', { note });
    expect(renderGate(gate, colors, () => [])).toContain(note);
    const reasons = reasonsOf(runView([], { state: 'waiting', gates: [gate] }), []);
    expect(reasons).toMatchObject([{ kind: 'gate', note }]);
    expect(renderWhy({ run: 'r1', state: 'waiting' }, [{ ...reasons[0]!, clear: [] }], colors, 0)).toContain(note);
  });
});
