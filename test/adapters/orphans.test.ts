import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { newOrphanMark } from '../../activities/adapters/processes/orphans';

afterEach(() => jest.restoreAllMocks());

function begin(variables: Readonly<Record<string, string>>) {
  const child = spawn('sleep', ['300'], { env: { PATH: process.env['PATH'], ...variables }, stdio: 'ignore', detached: true });
  return { child, ended: once(child, 'exit') };
}

test('what bears the mark is killed, by whatever process it was started, and nothing else is', async () => {
  const [mark, other] = [newOrphanMark(), newOrphanMark()];
  const [marked, unmarked] = [begin(mark.variables), begin(other.variables)];
  await mark.killAll();
  expect(await marked.ended).toEqual([null, 'SIGKILL']);
  expect(unmarked.child.signalCode).toBeNull();
  await other.killAll();
  await unmarked.ended;
});

test('what was killed is looked for until it is gone: on a busy machine that takes a while', async () => {
  const mark = newOrphanMark();
  const { ended } = begin(mark.variables);
  const kill = jest.spyOn(process, 'kill');
  for (let time = 0; time < 6; time++) kill.mockImplementationOnce(() => true);
  await mark.killAll();
  expect(kill.mock.calls.length).toBeGreaterThan(6);
  await ended;
});
