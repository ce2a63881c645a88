import type { MessagesReply } from '../../support/messages-server/served';
import type { Received, Serve } from '../../support/model-server/received';
import { dice } from '../../support/simulation/dice';
import { inSweep } from '../../support/sweep';
import type { Program } from '../support/program';
import { runOf, status } from '../support/runs';
import { SET_UP_MS } from '../support/scratch';
import { lookingReply, TURNS, writeLooking } from './looking';
import { type LiveScratch, liveScratch, requestsOf } from './service';

/**
 * The same money with real processes, a real server of Temporal's and real connections: workers are killed while a reply is awaited, a
 * connection is cut within one, the service is overloaded. `THERMIDOR_SEED=n` runs one seed alone.
 */
const alone = process.env['THERMIDOR_SEED'];
const SEEDS = alone === undefined ? [1, 2] : [Number(alone)];
let live: LiveScratch;

beforeAll(async () => {
  live = await liveScratch();
  await live.scratch.keepServer();
  writeLooking(live.scratch);
}, SET_UP_MS);
afterAll(() => live.close());

type Fault = 'kill' | 'cut' | 'overload';

/** Faults by the number of the reply that they hit, each once: one makes the service fail the try, and the others are around it. */
function faultsOf(seed: number): Map<number, Fault> {
  const roll = dice('processes', seed);
  const turns = Array.from({ length: TURNS }, (_, n) => n + 1);
  const faults: Fault[] = ['cut', 'overload', 'kill', ...(roll.chance(0.5) ? ['kill' as const] : [])];
  return new Map(
    faults.map((fault) => {
      const at = turns.splice(roll.whole(0, turns.length - 1), 1)[0] ?? TURNS;
      return [at, fault];
    }),
  );
}

/** Serves replies; one is held where the worker is to be killed, and `toKill` says how many are held. */
function serving(faults: Map<number, Fault>): { serve: Serve<MessagesReply>; toKill(): number } {
  const due = new Map(faults);
  let held = 0;
  return {
    toKill: () => held,
    serve(request: Received) {
      const reply = lookingReply(request);
      const fault = due.get(request.turn);
      due.delete(request.turn);
      if (fault === 'overload') return { kind: 'error', status: 529, message: 'busy', headers: { 'retry-after-ms': '1' } };
      if (fault === 'cut') return { ...reply, dripMs: 1, fault: { kind: 'cut', at: 5 } };
      if (fault !== 'kill') return reply;
      held += 1;
      return { kind: 'silence' };
    },
  };
}

inSweep.test.each(SEEDS)('each fault costs one reply at most: seed %i', async (seed) => {
  const { scratch, server } = live;
  const faults = faultsOf(seed);
  const { serve, toKill } = serving(faults);
  live.serve(serve);
  const before = server.paid();
  let run: string | undefined;
  const kills = [...faults.values()].filter((fault) => fault === 'kill').length;
  for (let killed = 0; killed < kills; killed++) {
    const working: Program = run === undefined ? scratch.thermidor('run', 'looking', '--live') : scratch.thermidor('watch', run);
    run ??= await runOf(working);
    await working.until('a reply is awaited', () => toKill() > killed);
    await working.kill();
  }
  if (run === undefined) throw new Error('no worker was killed');
  await scratch.follow('watch', run).endsWith(0);
  expect((await status(scratch, run)).state).toBe('completed');
  expect(server.paid() - before).toBeGreaterThanOrEqual(TURNS);
  expect(server.paid() - before).toBeLessThanOrEqual(TURNS + faults.size);
  // Each reply is requested at most as often as it met with faults.
  expect(requestsOf(live, run)).toHaveLength(TURNS + faults.size);
  expect(server.problems).toEqual([]);
});
