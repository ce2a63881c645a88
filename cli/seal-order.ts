import { seal } from '../client/callbacks/signatures';
import { readGates } from '../client/read-run';
import type { GateView } from '../plan/people/gate';
import type { SignalName, SignalPayload } from '../plan/run/signal';
import { joined } from '../plan/text/joined';
import type { Invocation } from './command';
import type { Session } from './session/session';
import { givenToken, resolvedToken } from './token';

type Payload = SignalPayload | ((session: Session, run: string) => Promise<SignalPayload>);

/**
 * Seals an answer with the person's own token (`--token`, else THERMIDOR_TOKEN), which is never sent: the worker has the same by
 * `people.NAME.token`, and checks the seal. Without a token the answer is unchanged: a claimed name.
 *
 * The seal covers the gate as the run shows it now, and the digest of what is shown there: an answer to anything else is refused. If it is
 * unclear which gate is meant, the answer is sent unsealed, and the run reports what is wrong with it.
 */
export function sealedOrder(
  { args, options, terminal }: Pick<Invocation, 'args' | 'options' | 'terminal'>,
  name: SignalName,
  payload: Payload,
  gateAt: (gates: readonly GateView[], step: string | undefined) => GateView | undefined,
): Payload {
  const given = givenToken({ options, terminal });
  if (given === undefined) return payload;
  return async (session, run) => {
    const plain = typeof payload === 'function' ? await payload(session, run) : payload;
    const gate = gateAt(await readGates(session.client, run), args[1]);
    if (gate === undefined || plain.by === undefined || !isOf(gate, plain.shown)) return plain;
    const token = await resolvedToken(given, terminal);
    const { by, comment, value, response, to } = plain;
    const shown = gate.shownSha256;
    const said = { comment, value, response, to };
    const defined = Object.fromEntries(Object.entries(said).filter(([, part]) => part !== undefined));
    const proof = seal(token, { run, name, step: gate.step, by, shown, ...defined }, 'console', new Date().toISOString());
    return joined(plain, { step: gate.step, shown, proof });
  };
}

function isOf({ shownSha256 }: GateView, shown: string | undefined): boolean {
  return shown === undefined || shownSha256.startsWith(shown.toLowerCase());
}
