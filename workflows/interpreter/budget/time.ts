import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import { accountsAround } from './accounts';
import { askForMore, questionLeft } from './gate';
import { dueOf } from './reserve';

/** Nothing begins once the time of a budget around it is up: a person is asked for more first. */
export async function withinTime(it: Interpreter, place: Place): Promise<void> {
  const { run } = it;
  const holder = { key: `${run.address(place.path)}/time`, place, hold: { granted: {}, charged: { tokens: 0, costMicroUsd: 0 } } };
  await questionLeft(it, place, holder.key);
  for (;;) {
    const late = accountsAround(run, place).find((account) => dueOf(account) <= run.ctx.now());
    if (!late) return;
    await askForMore(it, holder, late, { kind: 'wallClock' });
  }
}
