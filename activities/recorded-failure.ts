import { isFailureCode, ThermidorFailure } from '../plan/run/failure';
import { field, type Json } from '../plan/text/json';

/** The failure that a record of the ledger keeps, to be thrown again; undefined if it keeps none. */
export function recordedFailure(record: Json | undefined): ThermidorFailure | undefined {
  const [code, message, details] = ['code', 'message', 'details'].map((key) => field(record, key));
  if (typeof code !== 'string' || !isFailureCode(code) || typeof message !== 'string') return undefined;
  return new ThermidorFailure(code, message, details);
}
