/** Linux starts no program with a longer word or variable, the NUL at its end included; systems that take more take less in all. */
export const VALUE_LIMIT_BYTES = 128 * 1024;

export const LONG_VALUE_RULE = `a word or a variable of a command has less than ${VALUE_LIMIT_BYTES}`;
export const LONG_VALUE_HINT = 'give it to the command as its `stdin`, as in `stdin: $step`, or let a step write it into a file';

/** The values of a script are variables of its environment, numbered from 1. */
export const SCRIPT_VARIABLE = 'THERMIDOR_VALUE_';

/** Whether a value is too long for a command's start. @param variable the environment variable with that value; absent: it is a word */
export function isTooLong(sizeBytes: number, variable?: string): boolean {
  return sizeBytes + (variable === undefined ? 0 : variable.length + '='.length) >= VALUE_LIMIT_BYTES;
}
