import { asJson } from '../records/stored-json';
import type { ActivityCall } from './activity-call';
import { forgetUnstored, storeOutput } from './store-output';
import type { Toolbox } from './toolbox';

/**
 * An effect happens once (engine.md, *The ledger*): what the call produced before is returned without doing it again; else
 * the work is done and what the ledger holds afterwards is returned, which is another attempt's result where that was first.
 *
 * @param isDone false for what is no result yet: it is returned, and the work is done again when it is called again
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
