import type { Invocation } from '../command';
import { completionScript, SHELLS } from '../completion/shell-scripts';
import { EXIT, usage } from '../exit';

/** A completion script, made from the same list as parser and help. */
export async function execute({ args, terminal, catalogue }: Invocation): Promise<number> {
  const shell = SHELLS.find((known) => known === args[0]);
  if (shell === undefined) throw usage(`there is no completion for "${args[0] ?? ''}"`, `one of: ${SHELLS.join(', ')}`);
  terminal.out(completionScript(shell, catalogue.commands, catalogue.nouns));
  return EXIT.done;
}
