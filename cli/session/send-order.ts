import { actOnRun, cancelRun, runEnded, runImported } from '../../client/act-on-run';
import type { ThermidorClient } from '../../client/connect';
import { findRunToOrder } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { readGates, readStatus } from '../../client/read-run';
import type { RunSummary } from '../../client/run-summary';
import type { SignalName, SignalPayload, SignalReceipt } from '../../plan/run/signal';
import { jsonText } from '../../plan/text/json-text';
import { checkPersonName } from '../check-names';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { follow, reattach } from '../following/follow';
import { outcomeDocument, printOutcome } from '../following/print-outcome';
import { unservedIn } from '../serving/check-served';
import { unservedFailure } from '../serving/unserved-agents';
import { userOf } from '../user';
import type { Session } from './session';
import { withSession } from './with-session';

/**
 * The common part of every command that acts on a run: find the run, give the order as an update, report the result.
 *
 * If no other process works on the run, this one works on it after the order until it ends or rests: otherwise this process's worker would
 * start an agent and be killed with it. `--detach` returns at once.
 */
export interface RunCommand {
  name: SignalName | 'cancel';
  /** The payload, or a function that makes it if the run must be looked at first. */
  payload: SignalPayload | ((session: Session, run: string) => Promise<SignalPayload>);
  /** The run continues after it. */
  moves: boolean;
  /** Finds the run. @default the first argument names it */
  find?: (client: ThermidorClient) => Promise<RunSummary>;
}

export async function sendOrder(invocation: Invocation, order: RunCommand): Promise<number> {
  const { args, options, terminal } = invocation;
  const json = options.flag('json');
  const stays = order.moves && !options.flag('detach');
  const find = order.find ?? ((client: ThermidorClient) => findRunToOrder(client, args[0] ?? '', { ends: ENDS.has(order.name) }));
  return withSession(invocation, { need: stays ? 'worker' : 'answers', first: find }, async (session) => {
    const summary = await find(session.client);
    const { run } = summary;
    if (summary.imported) throw runImported(run, order.name);
    if (hasEnded(summary.state)) throw runEnded(run, order.name);
    await checkPersonName(options, session.configuration, () => readGates(session.client, run));
    if (stays && session.served === 'here' && !ENDS.has(order.name)) await checkServed(session, run, terminal.env);
    const payload = typeof order.payload === 'function' ? await order.payload(session, run) : order.payload;
    const given = await give(session.client, run, order.name, payload);
    if (!json) terminal.out(`${terminal.colors.green('✓')} ${receiptWords(order.name, given)}: ${run}\n`);
    const receipt = { run, order: order.name, ...given };
    if (!stays || session.served !== 'here') {
      if (json) terminal.out(`${JSON.stringify(receipt, null, 2)}\n`);
      else if (order.moves && session.served === 'here') terminal.err(reattach(run, session));
      return EXIT.done;
    }
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true });
    if (json) terminal.out(`${jsonText(await outcomeDocument(session, run, followed, receipt), { step: '  ' })}\n`);
    else if (followed.exit === EXIT.detached) terminal.err(`\n${reattach(run, session)}`);
    else await printOutcome(session, terminal, followed);
    return EXIT.done;
  });
}

/** After these commands a run asks nobody any more. */
const ENDS: ReadonlySet<RunCommand['name']> = new Set(['cancel', 'abort']);

/** The run stays unchanged if this process would continue it and could not ask its agents. */
export async function checkServed({ client, configuration }: Session, run: string, env: NodeJS.ProcessEnv): Promise<void> {
  const refused = unservedFailure(await unservedIn(await readStatus(client, run), configuration, env), OR_LEAVE_IT);
  if (refused) throw refused;
}

const OR_LEAVE_IT = 'use --detach and leave the work to a worker that can: thermidor up, thermidor watch';

/** Gives the order; the receipt has the step it went to, if the run says so. */
async function give(client: ThermidorClient, run: string, name: RunCommand['name'], payload: SignalPayload): Promise<SignalReceipt> {
  if (name !== 'cancel') return await actOnRun(client, run, name, payload);
  const { by, reason } = payload;
  await cancelRun(client, run, reason === undefined ? '' : `by ${by ?? 'an operator'}: ${reason}`);
  return { outcome: 'applied' };
}

/** `retry at build`, `task #3 at team`, `task #3 at team (sent before)`, `task (kept until the board opens)`. */
function receiptWords(name: RunCommand['name'], { outcome, step, task }: SignalReceipt): string {
  const number = task === undefined ? '' : ` #${task}`;
  const how = outcome === 'duplicate' ? ' (sent before)' : outcome === 'early' ? ' (kept until the board opens)' : '';
  return `${name}${number}${step === undefined ? '' : ` at ${step}`}${how}`;
}

/** Who gives the order: `--by`, else the configured user, else your login name. */
export function orderedBy({ options, terminal }: Pick<Invocation, 'options' | 'terminal'>, configured: string | undefined): SignalPayload {
  const by = options.text('by') ?? userOf(terminal, configured);
  return by === undefined ? {} : { by };
}
