import type { Configuration } from '../configuration';
import { openSession, type Session } from '../session';
import type { Terminal } from '../terminal';

/** Calls side by side share one worker. A call that has its answer lets the steps of the others end: handed over, they would run twice. */
const GRACE_MS = 24 * 60 * 60 * 1000;

/** Progress is for a person who watches: what calls Lobster reads its standard error, too. */
export function openLobsterSession(configuration: Configuration, terminal: Terminal, folder: string): Promise<Session> {
  return openSession({
    configuration,
    need: 'worker',
    progress: (line) => {
      if (terminal.live) terminal.err(`${terminal.colors.dim(line)}\n`);
    },
    pipelineDirs: [folder],
    graceMs: GRACE_MS,
  });
}
