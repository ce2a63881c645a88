import { ThermidorFailure } from '../../plan/run/failure';
import { isTooLong, LONG_VALUE_HINT, LONG_VALUE_RULE, VALUE_LIMIT_BYTES } from '../../plan/steps/value-length';

/**
 * Reports which value is too long for a command before the system's E2BIG, which blames all of them.
 *
 * @param what the value as its author knows it: `${big}` in `run`
 * @param variable the environment variable with that value; absent: it is a word Fails with `command.failed`.
 */
export function checkLength(what: string, value: string, variable?: string): void {
  const sizeBytes = Buffer.byteLength(value);
  if (!isTooLong(sizeBytes, variable)) return;
  const message = `${what} has ${sizeBytes} bytes; ${LONG_VALUE_RULE}: ${LONG_VALUE_HINT}`;
  throw new ThermidorFailure('command.failed', message, { value: what, sizeBytes, limitBytes: VALUE_LIMIT_BYTES - 1 });
}
