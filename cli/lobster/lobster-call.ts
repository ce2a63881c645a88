import { basename } from 'node:path';

/**
 * The words of a call of Lobster's command line: of `thermidor lobster …`, or of this program under the name `lobster`, as a link or a
 * second entry of a package's `bin` gives it. Undefined for any other command.
 */
export function lobsterCall(argv: readonly string[], script: string | undefined): readonly string[] | undefined {
  if (basename(script ?? '').replace(/\.[a-z]+$/i, '') === 'lobster') return argv;
  return argv[0] === 'lobster' ? argv.slice(1) : undefined;
}
