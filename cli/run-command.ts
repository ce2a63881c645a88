import { isFailureCode } from '../plan/run/failure';
import { execute } from './commands/lobster';
import { complete } from './completion/complete';
import { COMPLETE_WORD } from './completion/complete-word';
import { shownFailure } from './exit';
import { lobsterCall } from './lobster/lobster-call';
import { runCommandLine } from './program';
import { renderFailure } from './rendering/failure';
import type { Terminal } from './terminal';
import { version } from './version';

/**
 * Runs a command line, of ours or of Lobster's. Returns the exit code; a failure is shown on the terminal, with `--json` as data on
 * standard output. Once the command has printed something there, it is words on standard error: readers of a document get no second one,
 * and readers of lines no half of one.
 *
 * @param program path of the program that was called: Lobster's command line may have a name of its own
 */
export async function runCommand(argv: readonly string[], terminal: Terminal, program?: string): Promise<number> {
  let hasPrinted = false;
  const out = (text: string): void => {
    hasPrinted = true;
    terminal.out(text);
  };
  try {
    return await run(argv, { ...terminal, out }, program);
  } catch (error) {
    const failure = shownFailure(error);
    if (failure !== undefined && argv.includes('--json') && !hasPrinted) {
      const docs = isFailureCode(failure.code) ? { docs: `docs/failures.md#${failure.code}` } : {};
      terminal.out(`${JSON.stringify({ error: { ...failure, ...docs } }, null, 2)}\n`);
    } else terminal.err(renderFailure(failure, error, terminal.colors));
    return failure?.exit ?? 1;
  }
}

/** Lobster's own command line does not go through our parser, which it does not need and would wait for. */
function run(argv: readonly string[], terminal: Terminal, called: string | undefined): Promise<number> {
  if (argv[0] === COMPLETE_WORD) {
    return complete(argv.slice(1), terminal);
  }
  const words = lobsterCall(argv, called);
  if (words === undefined) {
    return runCommandLine(argv, terminal, version());
  }
  return execute({ args: words, terminal });
}
