import { inSweep } from '../support/sweep';
import { MAIN_JOB, MAIN_JOB_REQUESTS, startDetached, timesRequested, untilStatus } from './support/runs';
import { Scratch, SET_UP_MS } from './support/scratch';
import { writeScript } from './support/scripts';

/** kill -9 of the embedded server: the database has everything that was acknowledged. */
let scratch: Scratch;

beforeAll(async () => {
  scratch = await Scratch.make();
  writeScript(scratch, 'quick', { people: [] });
}, SET_UP_MS);
afterAll(() => scratch.close());

test('in a gate, under a command that watches: it comes back, and the decision ends the run', async () => {
  const run = await startDetached(scratch, MAIN_JOB, '--script', 'quick');
  const watching = scratch.follow('watch', run);
  await watching.untilLine(/approve +waiting/);
  await scratch.killServer();
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  expect(await watching.finished).toMatchObject({ code: 0 });
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});

inSweep.test('in a gate, together with the process that watches: the next command starts it again', async () => {
  const run = await startDetached(scratch, MAIN_JOB, '--script', 'quick');
  const watching = scratch.thermidor('watch', run);
  await watching.untilLine(/approve +waiting/);
  await Promise.all([watching.kill(), scratch.killServer()]);
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  await untilStatus(scratch, run, 'it ended', ({ state }) => state === 'completed');
  expect(timesRequested(scratch, run)).toEqual(MAIN_JOB_REQUESTS);
});
