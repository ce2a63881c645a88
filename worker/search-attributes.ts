import type { NativeConnection } from '@temporalio/worker';
import { SEARCH_ATTRIBUTES, type SearchAttributeName } from '../plan/run/search-attributes';

const PROBE_MS = 5000;

/**
 * Which of Thermidor's search attributes the server knows. An unknown one would wedge a run, so an account that may not ask counts as
 * having none: everything but lists of waiting runs works without them.
 */
export async function probeSearchAttributes(connection: NativeConnection, namespace: string): Promise<SearchAttributeName[]> {
  try {
    const known = await connection.withDeadline(Date.now() + PROBE_MS, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    const names = new Set(Object.keys(known.customAttributes));
    // Lists believe that a run which shows its state there shows there whether it waits, too.
    if (!names.has('ThermidorWaitingFor')) names.delete('ThermidorState');
    return SEARCH_ATTRIBUTES.filter((name) => names.has(name));
  } catch {
    return [];
  }
}
