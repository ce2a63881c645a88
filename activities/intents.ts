import { ThermidorFailure } from '../plan/run/failure';
import { type Address, formatPath } from '../plan/steps/address';
import { addressOfCall } from '../plan/steps/call-address';
import type { Step } from '../plan/steps/step';
import type { Begins } from '../plan/steps/step-activity';
import type { Ledger, RecordLog } from '../records/ledger';
import { type ActivityCall, requireAddress } from './activity-call';

/**
 * The record log of the effects of steps that are parallel to one: commands, whichever chain they were in, and stages of pipes.
 * Any caller finds an effect in the same log by its name.
 */
export function effectLog(address: Address): string {
  return logBeside(address, 'commands');
}

/** The same for messages to channels. Those of the run itself belong to no step. */
export function messageLog(call: Pick<ActivityCall, 'id'>): string {
  const address = addressOfCall(call);
  return address ? logBeside(address, 'messages') : 'messages';
}

function logBeside({ path }: Address, name: string): string {
  const container = formatPath(path.slice(0, -1));
  return container === '' ? name : `${container}/${name}`;
}

/** Does work whose effects begin in the ledger first (`RecordLog.begin`). An earlier worker on the same call begins no more of them. */
export async function withIntents<T>(
  { ledger }: { ledger: Ledger },
  call: ActivityCall,
  work: (intents: RecordLog) => Promise<T>,
  log = effectLog(requireAddress(call)),
): Promise<T> {
  const intents = await ledger.recordLog(call.key, log);
  try {
    await intents.claim([call.id], call.scheduledAtMs);
    return await work(intents);
  } finally {
    await intents.close();
  }
}

/** For what hands up that it has begun again. */
export function begunAgain(intents: Pick<RecordLog, 'begins'>, name: string): Begins {
  const begun = intents.begins(name);
  return begun.length > 1 ? { begun: [...begun] } : {};
}

/** An effect that a worker began and was lost in is done again, but for an action of a category: that may have been done, and one yes is for one action. */
export function requireFirst({ id, category }: Pick<Step, 'id' | 'category'>, hasBegun: boolean): void {
  if (!hasBegun || category === undefined) return;
  const message = `step "${id}" is of category ${category}, and its worker was lost during it: the action may have been done`;
  throw new ThermidorFailure('action.unknown', message, { step: id, category });
}
