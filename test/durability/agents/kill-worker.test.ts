import { field, type Json } from '../../../plan/json';
import type { Received } from '../../support/messages-server/server';
import { runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { lookingReply, TURNS, writeLooking } from './looking';
import { type LiveScratch, liveScratch, requestsOf, untilRequests } from './service';

/** kill -9 of the worker in the middle of an agent's work with tools: another goes on where it was. */
const KILLED_IN = 7;
let live: LiveScratch;

beforeAll(async () => {
  live = await liveScratch();
  const { scratch } = live;
  await scratch.keepServer();
  writeLooking(scratch);
}, SET_UP_MS);
afterAll(() => live.close());

test(`in turn ${KILLED_IN} of ${TURNS}: the next asks for that reply, and for none before it`, async () => {
  const { scratch, server } = live;
  live.serve((request) => (request.number === KILLED_IN ? new Promise(() => undefined) : lookingReply(request)));
  const worker = scratch.thermidor('run', 'looking', '--live');
  const run = await runOf(worker);
  await untilRequests(live, KILLED_IN);
  await worker.kill();
  expect(await scratch.thermidor('watch', run).finished).toMatchObject({ code: 0 });

  expect(requestsOf(live, run)).toHaveLength(TURNS + 1);
  expect(server.requests.map(({ turn }) => turn)).toEqual([1, 2, 3, 4, 5, 6, 7, 7, 8, 9, 10]);
  expect(server.paid()).toBe(TURNS);
  const [inFlight, again] = server.requests.slice(KILLED_IN - 1, KILLED_IN + 1);
  expect(again?.idempotencyKey).toBe(inFlight?.idempotencyKey);
  expect(bodyOf(again)).toEqual(bodyOf(inFlight));
  const view = await status(scratch, run);
  expect(view.state).toBe('completed');
  expect(view.steps.find(({ id }) => id === 'look')?.usage).toMatchObject({ inputTokens: 10 * TURNS });
  expect(server.problems).toEqual([]);
});

function bodyOf(request: Received | undefined): Json | undefined {
  return field(request?.body, 'messages');
}
