import type { Terminal } from '../terminal';
import type { EndedRun } from './conversation';
import { type ErrorType, errorEnvelope, okEnvelope, printed } from './envelope';
import { LOBSTER_EXIT, LobsterFailure, lobsterErrorMessage } from './exit';

/** Answers a call: with one document in tool mode, with words in human mode; and with the exit code. */
export type Deliver = (ended: EndedRun) => void;

/** Writes one document to standard output: what the work delivers, or why it failed. */
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

/** Failures while server and worker are shut down do not concern the caller, who has an answer already. */
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
