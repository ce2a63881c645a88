import type { PersonAction, PipelineTest } from '../../compiler/test-file/test-file';
import { defined } from '../../plan/defined';
import type { RunResult } from '../../plan/run/run-result';
import { type BenchRun, startOnBench } from './bench';
import { peopleOf } from './people';
import type { PreparedPipeline } from './prepare-pipeline';

/** A test's run when nothing more happens in it. */
export interface PlayedTest extends BenchRun {
  /** Undefined if the run has not ended. */
  result?: RunResult;
  ended: boolean;
  elapsedMs: number;
  /** Actions of people that never came to their turn. */
  idle: PersonAction[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long a run is watched after the last that people do at a moment of their own; reminders continue forever. */
const WATCHED_MS = 30 * DAY_MS;

/**
 * Plays a test to the end: the clock moves only when nothing is in progress that does not wait for it, to whatever comes next. It
 * stops when the run has ended, when nothing would ever happen again, or at the horizon.
 */
export async function playTest(prepared: PreparedPipeline, test: PipelineTest): Promise<PlayedTest> {
  const { run, stores } = startOnBench(prepared, test);
  let ended = false;
  let endedAtMs: number | undefined;
  let result: RunResult | undefined;
  const end = (): void => {
    ended = true;
    endedAtMs = run.clock.now();
  };
  void run.result.then((value) => {
    result = value;
    end();
  }, end);
  const people = peopleOf(test.people, run);
  let horizon = false;
  const unset = run.clock.after(horizonOf(test), () => {
    horizon = true;
  });
  for (;;) {
    await stores.meter.untilIdle();
    await soon();
    if (!stores.meter.isIdle) continue;
    if (ended) break;
    people.look();
    // One alarm is the horizon's own.
    if (horizon || run.clock.pending === 1) break;
    run.clock.tick();
  }
  unset();
  const elapsedMs = (endedAtMs ?? run.clock.now()) - test.startMs;
  return { run, stores, ended, elapsedMs, idle: people.idle(), ...defined({ result }) };
}

function horizonOf({ untilMs, people }: PipelineTest): number {
  const last = Math.max(0, ...people.map(({ when }) => (when.kind === 'at' ? when.ms : 0)));
  return untilMs ?? last + WATCHED_MS;
}

/** Waits for everything that needs no time. */
function soon(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
