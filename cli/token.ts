import { LocalSecrets } from '../activities/adapters/secrets';
import type { Invocation } from './command';
import { usage } from './exit';
import type { Terminal } from './terminal';

/** The source of a token if the command line gives none. */
const TOKEN_VARIABLE = 'THERMIDOR_TOKEN';

/** A person's own token, or the reference to it, as it was given. */
export interface GivenToken {
  text: string;
  /** It was given by `--token`, and not by the variable that applies to every command. */
  forThis: boolean;
}

export function givenToken({ options, terminal }: Pick<Invocation, 'options' | 'terminal'>): GivenToken | undefined {
  const option = options.text('token');
  if (option === '') throw usage('--token is empty');
  if (option !== undefined) return { text: option, forThis: true };
  const variable = terminal.env[TOKEN_VARIABLE];
  return variable === undefined || variable === '' ? undefined : { text: variable, forThis: false };
}

export async function resolvedToken({ text }: GivenToken, { env }: Pick<Terminal, 'env'>): Promise<string> {
  return await new LocalSecrets(env).resolve(text);
}
