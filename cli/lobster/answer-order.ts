import type { Terminal } from '../terminal';
import type { EndedRun } from './conversation';
import { type ErrorType, errorEnvelope, okEnvelope, printed } from './envelope';
import { LOBSTER_EXIT, LobsterFailure, lobsterErrorMessage } from './exit';

/** How a call answers its caller: by one document in tool mode, in words in human mode; and with which exit code. */
export type Deliver = (ended: EndedRun) => void;

/** One document on standard output: what the work delivers, or why it failed. */
export async function tool(terminal: Terminal, work: (deliver: Deliver) => Promise<void>, type?: ErrorType): Promise<number> {
  return attempt(
    (answered) =>
      work((ended) => {
        terminal.out(printed(okEnvelope(ended)));
        answered();
      }),
    (failure) => {
      if (failure.more.located !== undefined) terminal.err(failure.more.located);
      terminal.out(printed(errorEnvelope(type ?? failure.type, failure.message)));
    },
  );
}

export function human(terminal: Terminal, work: (answered: () => void) => Promise<void>): Promise<number> {
  return attempt(work, ({ line, more: { located } }) => terminal.err(located === undefined ? line : `${line}\n${located}`));
}

/** What goes wrong while server and worker are put away is not the caller's concern: it has its answer. */
async function attempt(work: (answered: () => void) => Promise<void>, fail: (failure: LobsterFailure) => void): Promise<number> {
  let isAnswered = false;
  try {
    await work(() => {
      isAnswered = true;
    });
  } catch (error) {
    if (!isAnswered) {
      const failure = asFailure(error);
      fail(failure);
      return failure.exit;
    }
  }
  return LOBSTER_EXIT.ok;
}

/** Whatever fails below Lobster's own rules (a server that does not start, a store that is full) is a failure of the run. */
function asFailure(error: unknown): LobsterFailure {
  return error instanceof LobsterFailure ? error : new LobsterFailure('runtime_error', lobsterErrorMessage(error));
}
