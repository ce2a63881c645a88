import type { StartRun } from '../../client/start-run';
import { defined } from '../../plan/defined';
import { hasPeople } from '../../plan/people/people';
import { readTraceparent } from '../../plan/run/traceparent';
import type { Invocation } from '../command';
import { usage } from '../exit';
import type { Configuration } from '../settings/configuration';
import { givenToken, resolvedToken } from '../token';
import { userOf } from '../user';

/** Who starts a run, and the trace that they do it in: a shell's `TRACEPARENT`. One that is none is left out, as the convention says. */
export async function starterHere(invocation: Pick<Invocation, 'options' | 'terminal'>, configuration: People): Promise<Starter> {
  const { TRACEPARENT: given = '' } = invocation.terminal.env;
  const traceparent = readTraceparent(given) ? given : undefined;
  return { ...(await personHere(invocation, configuration)), ...defined({ traceparent }) };
}

type People = Pick<Configuration, 'user' | 'directory'>;
type Starter = Pick<StartRun, 'startedBy' | 'token' | 'traceparent'>;

/**
 * Who starts a run: the user, which is a claim unless they prove it with their token (`--token`, else THERMIDOR_TOKEN). The variable
 * applies to every command, so it proves nothing if the settings know people but no token of this one.
 */
async function personHere(
  { options, terminal }: Pick<Invocation, 'options' | 'terminal'>,
  { user, directory }: People,
): Promise<Omit<Starter, 'traceparent'>> {
  const startedBy = userOf(terminal, user.value);
  const given = givenToken({ options, terminal });
  if (startedBy === undefined) {
    if (given?.forThis) throw usage('--token proves who starts the run, but no name is given', NAME_YOURSELF);
    return {};
  }
  if (given === undefined) return { startedBy };
  const { people } = directory.value;
  const hasToken = Object.hasOwn(people, startedBy) && people[startedBy]?.token !== undefined;
  if (!hasToken && hasPeople(directory.value)) {
    if (given.forThis)
      throw usage(`--token proves nothing: "${startedBy}" has no token under \`people:\` in thermidor.yaml`, NAME_YOURSELF);
    return { startedBy };
  }
  return { startedBy, token: await resolvedToken(given, terminal) };
}

const NAME_YOURSELF = 'set your name: `user:` in thermidor.yaml, or THERMIDOR_USER';
