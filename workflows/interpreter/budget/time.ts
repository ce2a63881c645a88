import { isAsking } from '../gates/gate-turn';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import { accountsAround } from './accounts';
import { askForMore, takeUpQuestion } from './gate';
import { dueOf } from './reserve';

/** Nothing begins once the time of a budget around it is up: a person is asked for more first. */
export async function withinTime(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  const holder = { key: `${run.address(place.path)}/time`, place, hold: { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } } };
  const record = run.record(place.path);
  if (isAsking(record, holder.key)) await takeUpQuestion(it, place, holder.key);
  for (;;) {
    const late = accountsAround(run, place).find((account) => dueOf(account) <= run.ctx.now());
    if (!late) return;
    await askForMore(it, holder, late, { kind: 'wallClock' });
  }
}
