import { DirectorySeals } from '../../activities/adapters/seals';
import { Options } from '../../cli/command';
import { gateAt } from '../../cli/commands/decide';
import { sealedOrder } from '../../cli/seal-order';
import type { Session } from '../../cli/session/session';
import type { GateView } from '../../plan/people/gate';
import type { SignalPayload } from '../../plan/run/signal';
import { jsonText, parseJson } from '../../plan/text/json-text';
import { fakeTerminal } from './fake-terminal';

const GATE: GateView = {
  step: 'build/ask#2',
  kind: 'approval',
  question: 'Go?',
  choices: ['approve', 'reject'],
  openedAt: '2026-11-21T10:00:00Z',
  shown: [],
  shownSha256: 'ab'.repeat(32),
};
const session = {
  client: { call: (request: () => unknown) => request(), temporal: { workflow: { getHandle: () => ({ query: async () => [GATE] }) } } },
} as unknown as Session;
const seals = new DirectorySeals({ chairman: { token: 'a token of their own' } }, { resolve: async (text) => text }, async () =>
  Buffer.from(''),
);

async function order(
  values: Record<string, unknown>,
  payload: SignalPayload,
  env: NodeJS.ProcessEnv = {},
  step = 'ask',
): Promise<SignalPayload> {
  const terminal = fakeTerminal({ env });
  const made = sealedOrder({ args: ['run-1', step], options: new Options(values), terminal }, 'approve', payload, gateAt);
  return typeof made === 'function' ? made(session, 'run-1') : made;
}

test('without a token an answer stays a claimed name', async () => {
  expect(await order({}, { by: 'chairman' })).toEqual({ by: 'chairman' });
  expect(await order({}, { by: 'chairman' }, { THERMIDOR_TOKEN: '' })).toEqual({ by: 'chairman' });
});

test('a sealed answer keeps how its numbers are written', async () => {
  const sealed = await order({ token: 'a token of their own' }, parseJson<SignalPayload>('{"by":"chairman","response":1.10}'));
  expect(jsonText(sealed)).toContain('"response":1.10');
});

test.each([
  ['as it is', { token: 'a token of their own' }, {}],
  ['by its reference', { token: 'secret://env/MINE' }, { MINE: 'a token of their own' }],
  ['from the environment', {}, { THERMIDOR_TOKEN: 'a token of their own' }],
])('a token given %s seals the gate as it stands, and goes nowhere itself', async (_what, values, env) => {
  const sealed = await order(values, { by: 'chairman', comment: 'go' }, env);
  const { proof, ...said } = sealed;
  expect(said).toEqual({ by: 'chairman', comment: 'go', step: GATE.step, shown: GATE.shownSha256 });
  expect(JSON.stringify(sealed)).not.toContain('a token of their own');
  expect(proof?.channel).toBe('console');
  const whole = { run: 'run-1', name: 'approve', step: GATE.step, by: 'chairman', shown: GATE.shownSha256, comment: 'go' };
  expect(proof && (await seals.check(whole, proof))).toBeUndefined();
});

test.each([
  ['nobody is named', {}, 'ask'],
  ['no such gate', { by: 'chairman' }, 'other'],
  ['something else was shown', { by: 'chairman', shown: 'ffffffff' }, 'ask'],
])('where %s the run says what is wrong: nothing is sealed', async (_what, payload, step) => {
  expect(await order({ token: 'a token of their own' }, payload, {}, step)).toEqual(payload);
});

test('an empty token is a mistake', async () => {
  await expect(order({ token: '' }, { by: 'chairman' })).rejects.toMatchObject({ code: 'usage' });
});
