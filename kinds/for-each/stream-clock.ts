import { blockSleeper } from '../../workflows/interpreter/containers/run-block';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import { streamSleeper } from '../../workflows/interpreter/streams/stream-room';
import type { LoopPlace, StreamTurn } from './stream-turn';

/** What a clock sleeps by that watches nothing: an item that begins wakes it. */
export function idleClock(loop: string): string {
  return `idle-clock:${loop}`;
}

/**
 * Wakes what has run out of time: the loop, and each item in flight. One timer serves them all, and runs on while items come and go; with one for each item, a stream of
 * a thousand would write two thousand events more. Returns what stops it.
 */
export function startClock({ run }: Interpreter, { path }: LoopPlace, turn: StreamTurn): () => void {
  const running = `clock:${path}`;
  let isStopped = false;

  const dues = (): [number, string][] => [
    ...Object.entries(turn.loop.stream.dueMs ?? {}).map(([index, dueMs]): [number, string] => [dueMs, blockSleeper(path, Number(index))]),
    ...(turn.deadlineMs === undefined ? [] : [[turn.deadlineMs, streamSleeper(turn.producer.path)] satisfies [number, string]]),
  ];

  run.spawn(async () => {
    while (!isStopped) {
      // What was due before has been woken.
      const nextMs = Math.min(...dues().flatMap(([dueMs]) => (dueMs > run.ctx.now() ? [dueMs] : [])));
      if (nextMs === Number.POSITIVE_INFINITY) await run.sleepUntilWoken(idleClock(path), path);
      else if (await run.until(nextMs, path, running)) for (const [dueMs, late] of dues()) if (dueMs <= run.ctx.now()) run.wake(late);
    }
  });

  return () => {
    isStopped = true;
    for (const sleeper of [idleClock(path), running]) run.wake(sleeper);
  };
}
