import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../plan/json';
import type { RunView } from '../../../plan/status';
import { scriptBeside } from '../../../worker/script-files';
import { replyFromScript } from '../../support/messages-server/from-script';
import { MAIN_JOB, MAIN_JOB_REQUESTS, runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { writeScript } from '../support/scripts';
import { type LiveScratch, liveScratch, requestsOf } from './service';

/** The main job as a user runs it with real models: `--live`, a key in the environment, the address of the service in thermidor.yaml. */
let live: LiveScratch;

beforeAll(async () => {
  live = await liveScratch();
  await live.scratch.keepServer();
  writeScript(live.scratch, 'quick');
}, SET_UP_MS);
afterAll(() => live.close());

/** What each step put out, by its id. */
function outputs({ steps }: RunView): Record<string, Json> {
  const found: Record<string, Json> = {};
  for (const { id, artifact } of steps) {
    if (!artifact) continue;
    const path = join(live.scratch.stateDir, 'artifacts', artifact.sha256.slice(0, 2), artifact.sha256);
    found[id] = JSON.parse(readFileSync(path, 'utf8'));
  }
  return found;
}

test('it comes to the same as by the script, at one request a reply', async () => {
  const { scratch, server } = live;
  const scripted = scratch.thermidor('run', MAIN_JOB, '--script', 'quick');
  const scriptedRun = await runOf(scripted);
  expect((await scripted.finished).code).toBe(0);

  live.serve(replyFromScript(scriptBeside(scratch.path(MAIN_JOB), 'quick').script));
  const running = scratch.thermidor('run', MAIN_JOB, '--live');
  const run = await runOf(running);
  expect(await running.finished).toMatchObject({ code: 3 });
  expect(await scratch.thermidor('approve', run, '--by', 'chairman').finished).toMatchObject({ code: 0 });

  const [told, replayed] = [await status(scratch, run), await status(scratch, scriptedRun)];
  expect(told.state).toBe('completed');
  expect(outputs(told)).toEqual(outputs(replayed));
  expect(Object.keys(outputs(told)).length).toBeGreaterThanOrEqual(7);
  expect(requestsOf(live, run)).toHaveLength(Object.keys(MAIN_JOB_REQUESTS).length);
  expect(new Set(requestsOf(live, run)).size).toBe(server.paid());
  expect(server.problems).toEqual([]);
});
