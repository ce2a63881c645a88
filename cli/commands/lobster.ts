import type { Invocation } from '../command';
import { runLobster } from '../lobster/lobster';
import { version } from '../version';

/** Lobster's own command line: its words are read by its own rules, and it ends with its own exit codes. */
export function execute({ args, terminal }: Pick<Invocation, 'args' | 'terminal'>): Promise<number> {
  return runLobster(args, terminal, version());
}
