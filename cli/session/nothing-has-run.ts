import { CommandFailure, EXIT } from '../exit';

const CODE = 'state.none';

/** The failure of a command that looks at runs, or acts on them, in a folder that has none. */
export function nothingHasRun(stateDir: string): CommandFailure {
  return new CommandFailure(EXIT.failed, CODE, `nothing has run here: there is no ${stateDir} yet`, {
    hint: 'thermidor run PIPELINE makes it; runs of another folder are found from there, or with --state-dir or --address',
  });
}

/** For lists, which are then empty. @param empty gets the line that says why */
export async function ifNothingHasRun<T>(found: Promise<T>, empty: (why: string) => T): Promise<T> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof CommandFailure && error.code === CODE) return empty(`${error.message}\n`);
    throw error;
  }
}
