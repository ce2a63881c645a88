import type { RunMemo } from '../plan/run/run-memo';
import { SIGNAL_OUTCOMES, type SignalOutcome, type SignalPayload } from '../plan/run/signal';
import { joined } from '../plan/text/joined';
import { actOnRun } from './act-on-run';
import { ClientProblem } from './client-problem';
import type { ThermidorClient } from './connect';
import type { RunSummary } from './run-summary';

/** A gate that is decided with others, as lists know it. */
export interface GateOfRun {
  run: string;
  gate: RunMemo['gates'][number];
}

/** The result of the decision at one gate. */
export interface DecidedRun {
  run: string;
  step: string;
  outcome: SignalOutcome;
  /** Why it was not applied. */
  reason?: string;
}

/** The payload for a gate: the same for all, or sealed for each. */
export type PayloadFor = (one: GateOfRun) => SignalPayload | Promise<SignalPayload>;

/** Updates in progress at once: a worker takes this many of them in parallel, and the server's limits are far off. */
const AT_ONCE = 16;
const TRIES = 3;

/**
 * The open gates that take a yes or no; others have choices of their own. Those of a child pipeline are its parent's too, and are answered
 * there.
 */
export function approvalGates(runs: readonly RunSummary[], name: 'approve' | 'reject'): GateOfRun[] {
  const takesIt = ({ kind, choices }: GateOfRun['gate']): boolean => kind === 'approval' && choices.includes(name);
  return runs.flatMap(({ run, gates }) => gates.flatMap((gate) => (takesIt(gate) ? [{ run, gate }] : [])));
}

/**
 * Decides gate after gate, each as an update that is bound to what the gate showed when it was listed.
 *
 * Invariants: 1. a refused or unanswered one does not keep others from being decided; 2. each gate is reported exactly once, in the order
 * given; 3. an order whose answer was lost is repeated under the same id, and never counts twice.
 */
export async function decideAll(
  client: ThermidorClient,
  name: 'approve' | 'reject',
  gates: readonly GateOfRun[],
  payloadFor: PayloadFor,
): Promise<DecidedRun[]> {
  const results: DecidedRun[] = [];
  let next = 0;
  async function work(): Promise<void> {
    for (let at = next++; at < gates.length; at = next++) {
      const one = gates[at];
      if (!one) return;
      results[at] = await decideOne(client, name, one, payloadFor);
    }
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, gates.length) }, work));
  return results;
}

async function decideOne(client: ThermidorClient, name: 'approve' | 'reject', one: GateOfRun, payloadFor: PayloadFor): Promise<DecidedRun> {
  const { run, gate } = one;
  const { step, shownSha256 } = gate;
  for (let tries = 1; ; tries++) {
    try {
      const payload = await payloadFor(one);
      const order = joined<SignalPayload>(payload, { step, shown: shownSha256 });
      await actOnRun(client, run, name, order, `all-${name}-${step}-${payload.by ?? ''}-${gate.openedAt}`);
      return { run, step, outcome: 'applied' };
    } catch (error) {
      if (!(error instanceof ClientProblem)) throw error;
      if (tries < TRIES && (error.code === 'worker.missing' || error.code === 'server.refused')) continue;
      return { run, step, outcome: outcomeOf(error), reason: error.message };
    }
  }
}

function outcomeOf({ code, more }: ClientProblem): DecidedRun['outcome'] {
  if (code === 'run.ended') return 'late';
  const outcome = more.details?.['outcome'];
  return (code === 'signal.refused' && SIGNAL_OUTCOMES.find((known) => known === outcome)) || 'unknown';
}
