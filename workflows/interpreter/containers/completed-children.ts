import { ThermidorFailure } from '../../../plan/run/failure';
import type { ActivityOptions } from '../../run-context';
import type { Interpreter } from '../interpreter';
import { childStateOf } from '../state/kind-state';
import { LOOK_UP_MS, SHORT_ACTIVITY_MS } from '../steps/activity-timeouts';
import { compositionOf } from './compose';
import type { ChildRecord } from './container-record';

const KEPT: Omit<ActivityOptions, 'address'> = { kept: true, startToCloseMs: SHORT_ACTIVITY_MS, scheduleToCloseMs: LOOK_UP_MS };

/** Child pipelines that had completed by the time they were cancelled: their output is their steps'. */
export async function keepCompletedChildren(it: Interpreter): Promise<void> {
  const running = it.run.index.live(it.run.state.records).flatMap(([path, record]) => {
    const child = childStateOf(record);
    return record.state === 'running' && child?.ended?.state === 'completed' ? [{ path, child }] : [];
  });
  await Promise.all(running.map(({ path, child }) => keepEndedChild(it, path, child)));
}

/** A child whose step was cancelled before it reported its completion. */
export function keepLateChild(it: Interpreter, path: string, child: ChildRecord): void {
  const { run } = it;
  if (run.state.records[path]?.state !== 'skipped' || child.ended?.state !== 'completed') return;
  run.background(() => keepEndedChild(it, path, child));
}

async function keepEndedChild({ run, cancelledWork }: Interpreter, path: string, { ended }: ChildRecord): Promise<void> {
  if (ended?.state !== 'completed') return;
  const { round, try: again } = run.record(path);
  const work = { path, kind: 'pipeline', round, try: again, call: `${run.address(path)}/called-off` } as const;
  const from = compositionOf(ended.output);
  try {
    // Its own composing may still be in progress, under its own address.
    const output = await run.ctx.activity('compose', { run: run.ctx.info.firstRunId, from }, { ...KEPT, address: work.call });
    cancelledWork.take(work, { output });
  } catch (error) {
    if (!(error instanceof ThermidorFailure)) throw error;
    cancelledWork.take(work, { problem: error.message });
  }
}
