import { ConnectionLoss } from '../../cli/following/connection-loss';
import { ClientProblem } from '../../client/client-problem';

const away = new ClientProblem('server.unreachable', 'no server');
const silent = new ClientProblem('worker.missing', 'no worker');

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('says once what is wrong, and again when it changes or comes back', () => {
  const said: string[] = [];
  const sight = new ConnectionLoss({ served: 'elsewhere' }, (message) => said.push(message));
  for (const problem of [away, away, silent]) sight.lost(problem);
  sight.found();
  sight.lost(silent);
  expect(said).toEqual(['no server; asking again', 'no worker; asking again', 'no worker; asking again']);
});

test.each([
  ['elsewhere', 31_000],
  ['here', 601_000],
] as const)('who is served %s gives up after %i ms with the code, and not before', (served, lastsMs) => {
  const sight = new ConnectionLoss({ served }, () => undefined);
  sight.lost(away);
  jest.advanceTimersByTime(lastsMs - 2_000);
  sight.lost(away);
  jest.advanceTimersByTime(2_000);
  expect(() => sight.lost(away)).toThrow(away);
});

test('a process whose worker is being brought back still counts as one that works', () => {
  const session: { served: 'here' | 'elsewhere' } = { served: 'here' };
  const sight = new ConnectionLoss(session, () => undefined);
  session.served = 'elsewhere';
  sight.lost(away);
  jest.advanceTimersByTime(60_000);
  expect(() => sight.lost(away)).not.toThrow();
});
