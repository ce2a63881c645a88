import { ThermidorFailure } from '../../plan/run/failure';

/** Linux starts no program with a longer word or variable, the NUL at its end included; systems that take more take less in all. */
const LIMIT_BYTES = 128 * 1024;
const HINT = 'give it to the command as its `stdin`, as in `stdin: $step`, or let a step write it into a file';

/**
 * Says which value is too long for a command before the system says E2BIG of all together.
 *
 * @param what the value as its author knows it: `${big}` in `run`
 * @param variable what it is the value of; absent: it is a word
 * Fails with `command.failed`.
 */
export function checkLength(what: string, value: string, variable?: string): void {
  const sizeBytes = Buffer.byteLength(value);
  if (sizeBytes + (variable === undefined ? 0 : variable.length + '='.length) < LIMIT_BYTES) return;
  const message = `${what} has ${sizeBytes} bytes; a word or a variable of a command has less than ${LIMIT_BYTES}: ${HINT}`;
  throw new ThermidorFailure('command.failed', message, { value: what, sizeBytes, limitBytes: LIMIT_BYTES - 1 });
}
