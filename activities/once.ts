import { asJson } from '../records/stored-json';
import type { ActivityCall } from './activity-call';
import { forgetUnstored, storeOutput } from './store-output';
import type { Toolbox } from './toolbox';

/**
 * Does an effect once: an earlier result of the call is returned without doing it again; else the work is done and the ledger's record is
 * returned, which is another attempt's result if that was first.
 *
 * @param isDone false for an intermediate result: it is returned, and the next call does the work again
 */
export async function once<T>(
  toolbox: Toolbox,
  call: ActivityCall,
  work: () => Promise<T>,
  isDone: (result: T) => boolean = () => true,
): Promise<T> {
  const before: unknown = await toolbox.ledger.get(call.key, call.id);
  if (before !== undefined) return before as T;
  call.signal.throwIfAborted();
  const result = await work();
  if (!isDone(result)) return result;
  const kept: unknown = await storeOutput(toolbox, call, () => toolbox.ledger.putIfAbsent(call.key, call.id, asJson(result)));
  forgetUnstored(toolbox, call);
  return kept as T;
}
