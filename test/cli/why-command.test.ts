import { type Invocation, Options } from '../../cli/command';
import { execute } from '../../cli/commands/why';
import { EXIT } from '../../cli/exit';
import type { Why } from '../../client/why';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import { fakeTerminal } from './fake-terminal';
import { runView, stepView } from './views';

/** What reading the store fails with. */
let failure: Error;
let drained: { host: string }[] = [];

const GATE: Why = {
  run: 'r',
  state: 'waiting',
  reasons: [
    {
      kind: 'gate',
      step: 'ask',
      text: 'input: Which one?',
      gate: { step: 'ask', channel: 'console', kind: 'input', choices: [], form: { sha256: 'a'.repeat(64) } },
    } as unknown as Why['reasons'][number],
  ],
};

let found: Why;
beforeEach(() => {
  found = GATE;
});

jest.mock('../../client/find-run', () => ({ findRun: async () => ({ run: 'r' }) }));
jest.mock('../../client/why', () => ({ whyRun: async () => found }));
/** The ledger has the first step's work. */
jest.mock('../../cli/rerun/recorded-view', () => ({
  recordedView: async ({ steps: [first, ...others], ...view }: RunView) => ({ ...view, steps: [{ ...first, state: 'done' }, ...others] }),
}));
jest.mock('../../cli/session/server-location', () => ({ serverLocation: () => ({ flags: '', tokens: {} }) }));
jest.mock('../../cli/settings/records', () => ({
  recordsOf: () => ({
    artifacts: {
      get: async () => {
        throw failure;
      },
    },
    drained: { list: async () => drained },
    presence: () => ({ workers: async () => [] }),
  }),
}));
jest.mock('../../cli/session/with-session', () => ({
  withSession: async (_invocation: unknown, _need: unknown, work: (session: object) => Promise<number>) =>
    await work({
      client: { embedded: true, temporal: { workflowService: {} }, call: async () => ({ workersInfo: [] }) },
      configuration: {},
    }),
}));

async function why() {
  const terminal = fakeTerminal();
  const invocation: Invocation = { args: ['r'], options: new Options({}), terminal, catalogue: { commands: [], nouns: {} } };
  return { exit: await execute(invocation), ...terminal.written };
}

test('says what a run waits for although the store is away, and names the store', async () => {
  failure = new ThermidorFailure('store.unavailable', 'the store postgres://db/runs cannot be used: nothing listens there');
  const { exit, out, err } = await why();
  expect([exit, out]).toEqual([EXIT.done, expect.stringContaining('input: Which one?')]);
  expect(err).toBe('! the store postgres://db/runs cannot be used: nothing listens there\n');
});

test('does not hide another failure', async () => {
  failure = new Error('a defect');
  await expect(why()).rejects.toThrow('a defect');
});

test('names the hosts that are drained if nobody else works, and the command that takes one back', async () => {
  failure = new ThermidorFailure('store.unavailable', 'away');
  drained = [{ host: 'build-7' }];
  const { exit, out } = await why();
  expect(exit).toBe(EXIT.done);
  expect(out).toContain('no worker takes work: the host is drained: build-7\n');
  expect(out).toContain('    thermidor fleet undrain build-7\n');
});

test('has a run that the server ended continue at the first step that the ledger does not have', async () => {
  failure = new ThermidorFailure('store.unavailable', 'away');
  const begun = { kind: 'command', state: 'skipped', startedAt: '2026-11-21T10:00:00.000Z' } as const;
  const view = runView([stepView('a', begun), stepView('b', { ...begun })], { run: 'r', state: 'failed' });
  found = { run: 'r', state: 'failed', reasons: [{ kind: 'ended', text: 'ended: failed: terminated' }], view };
  expect((await why()).out).toContain('    thermidor rerun r --from b\n');
});

test('says that the key of the server has expired before it asks the server', async () => {
  failure = new Error('a defect');
  const token = `a.${Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url')}.c`;
  const terminal = fakeTerminal({ env: { TEMPORAL_API_KEY: token } });
  const invocation: Invocation = { args: ['r'], options: new Options({}), terminal, catalogue: { commands: [], nouns: {} } };
  await expect(execute(invocation)).rejects.toThrow('a defect');
  expect(terminal.written.err).toBe('! API key: expired on 1970-01-01T00:00:01.000Z\n  hint: get a new one: TEMPORAL_API_KEY\n');
});
