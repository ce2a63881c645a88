import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunView } from '../../../plan/run/status';
import type { Json } from '../../../plan/text/json';
import { scriptBeside } from '../../../worker/script-files';
import { MESSAGES } from '../../support/messages-server/dialect';
import type { MessagesReply } from '../../support/messages-server/served';
import { replyFromScript } from '../../support/model-server/from-script';
import type { Received, Serve } from '../../support/model-server/received';
import { inSweep } from '../../support/sweep';
import { MAIN_JOB, MAIN_JOB_REQUESTS, runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { writeScript } from '../support/scripts';
import { type LiveScratch, liveScratch, requestsOf } from './service';

/** The main job as a user runs it with real models: `--live`, a key in the environment, the address of the service in thermidor.yaml. */
const REPLIES = Object.keys(MAIN_JOB_REQUESTS).length;
const RECORDING = 'pipelines/scripts/monday.yaml';
let live: LiveScratch;
let script: Serve<MessagesReply>;
/** The scripted run from which the service takes its replies. */
let scripted: RunView;

beforeAll(async () => {
  live = await liveScratch();
  await live.scratch.keepServer();
  const { scratch } = live;
  scratch.addPipelines();
  writeScript(scratch, 'quick');
  script = replyFromScript(scriptBeside(scratch.path(MAIN_JOB), 'quick').script, MESSAGES.voice);
  const playing = scratch.follow('run', MAIN_JOB, '--script', 'quick');
  const run = await runOf(playing);
  await playing.endsWith(0);
  scripted = await status(scratch, run);
  expect(Object.keys(outputs(scripted)).length).toBeGreaterThanOrEqual(7);
}, SET_UP_MS);
afterAll(() => live.close());

/** The output of each step, by its id. */
function outputs({ steps }: RunView): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const { id, artifact } of steps) {
    if (!artifact) continue;
    const path = join(live.scratch.stateDir, 'artifacts', artifact.sha256.slice(0, 2), artifact.sha256);
    found[id] = JSON.parse(readFileSync(path, 'utf8'));
  }
  return found;
}

inSweep.test('it comes to the same as by the script, at one request a reply; and so does its recording, asking nobody', async () => {
  const { scratch, server } = live;
  live.serve(script);
  const running = scratch.follow('run', MAIN_JOB, '--live', '--record', RECORDING);
  const run = await runOf(running);
  await running.endsWith(3);
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  const told = await status(scratch, run);
  expect(told.state).toBe('completed');
  expect(outputs(told)).toEqual(outputs(scripted));
  expect(requestsOf(live, run)).toHaveLength(REPLIES);
  expect(new Set(requestsOf(live, run)).size).toBe(REPLIES);
  expect(server.paid()).toBe(REPLIES);

  const replaying = scratch.follow('run', MAIN_JOB, '--script', 'monday');
  const again = await runOf(replaying);
  await replaying.endsWith(3);
  const replayed = await status(scratch, again);
  expect(outputs(replayed)).toEqual(outputs(told));
  expect(replayed.usage).toEqual(told.usage);
  expect(server.paid()).toBe(REPLIES);
  expect(server.problems).toEqual([]);
});

inSweep.test('so it does if its worker is killed in the middle, at one request more', async () => {
  const { scratch, server } = live;
  const before = server.paid();
  let inFlight: Received | undefined;
  live.serve((request) => {
    if (inFlight || !request.idempotencyKey.includes('/converge#1')) return script(request);
    inFlight = request;
    return { kind: 'silence' };
  });
  const dying = scratch.thermidor('run', MAIN_JOB, '--live');
  const run = await runOf(dying);
  await dying.until('the thesis is asked for', () => inFlight !== undefined);
  await dying.kill();
  const watching = scratch.follow('watch', run);
  await watching.untilLine(/approve +waiting/);
  expect(await scratch.ask('approve', run, '--by', 'chairman')).toMatchObject({ code: 0 });
  await watching.endsWith(0);
  expect(outputs(await status(scratch, run))).toEqual(outputs(scripted));
  const keys = requestsOf(live, run);
  expect(keys).toHaveLength(REPLIES + 1);
  expect(keys.filter((key) => key === inFlight?.idempotencyKey)).toHaveLength(2);
  expect(server.paid() - before).toBe(REPLIES);
  expect(server.problems).toEqual([]);
});
