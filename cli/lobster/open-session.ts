import { openSession, type Session } from '../session/session';
import type { Configuration } from '../settings/configuration';
import type { Terminal } from '../terminal';

/** Progress is only for a person who watches: programs that call Lobster read its standard error too. */
export function openLobsterSession(configuration: Configuration, terminal: Terminal, folder: string): Promise<Session> {
  return openSession({
    configuration,
    need: 'worker',
    begins: true,
    progress: (line) => {
      if (terminal.live) terminal.err(`${terminal.colors.dim(line)}\n`);
    },
    pipelineDirs: [folder],
    finish: {},
  });
}
