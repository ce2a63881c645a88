import type { ThermidorClient } from '../../client/connect';
import { approvalGates, type DecidedRun, decideAll, type GateOfRun } from '../../client/decide-all';
import { hasStateAttribute } from '../../client/list-page';
import { listRuns } from '../../client/list-runs';
import { withoutChildren } from '../../client/own-gates';
import { sleep } from '../../client/pause';
import type { SignalPayload } from '../../plan/run/signal';
import { setSpelled } from '../../plan/text/spelled-json';
import { checkPersonName } from '../check-names';
import type { CommandModule, Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { parseJson } from '../pipelines/run-args';
import { renderEmpty } from '../rendering/text/empty';
import { renderTable } from '../rendering/text/table';
import { sealedOrder } from '../seal-order';
import { checkServed, orderedBy } from '../session/send-order';
import { withSession } from '../session/with-session';
import { configurationOf } from '../settings/settings';
import type { Terminal } from '../terminal';
import { gateAt } from './decide';

const MOST = 10_000;
const LOOK_MS = 500;

/** `approve RUN` decides at one gate of a run, `approve --all` at every open gate. */
export function oneOrAll(name: 'approve' | 'reject', one: () => CommandModule['execute']): CommandModule['execute'] {
  return async (invocation) => {
    const { args, options } = invocation;
    const run = args[0];
    if (!options.flag('all')) {
      if (options.text('pipeline') !== undefined) throw usage('--pipeline goes with --all');
      if (run === undefined) throw usage(`${name} needs a run, or --all`, '`thermidor inbox` shows what waits');
      return one()(invocation);
    }
    if (run !== undefined) throw usage(`${name} takes a run or --all, not both`);
    return everyGate(invocation, name);
  };
}

/** Decides at every open approval gate, of one pipeline or of all, and prints a table of the results. Exit 1 if one was not decided. */
async function everyGate(invocation: Invocation, name: 'approve' | 'reject'): Promise<number> {
  const { options, terminal } = invocation;
  const [json, detach, pipeline] = [options.flag('json'), options.flag('detach'), options.text('pipeline')];
  const payload = payloadOf(invocation);
  return withSession(invocation, detach ? 'answers' : 'worker', async (session) => {
    const { client } = session;
    const open = await listRuns(client, { waiting: true, children: true, limit: MOST }, await hasStateAttribute(client));
    const runs = withoutChildren(open).filter((run) => pipeline === undefined || run.pipeline === pipeline);
    const gates = approvalGates(runs, name);
    await checkPersonName(options, session.configuration, () => gates.map(({ gate }) => gate));
    if (!detach && session.served === 'here') for (const { run } of runs) await checkServed(session, run, terminal.env);
    const payloadFor = async ({ run, gate }: GateOfRun): Promise<SignalPayload> => {
      // With a token, each answer has a seal of its own.
      const order = sealedOrder({ ...invocation, args: [run, gate.step] }, name, payload, gateAt);
      return typeof order === 'function' ? order(session, run) : order;
    };
    const decided = await decideAll(client, name, gates, payloadFor);
    const left = decided.filter(({ outcome }) => outcome !== 'applied').length;
    if (json) terminal.out(`${JSON.stringify({ order: name, applied: decided.length - left, left, gates: decided }, null, 2)}\n`);
    else print(name, decided, left, terminal);
    if (!detach && session.served === 'here') await untilAtRest(client, decided, terminal);
    return left === 0 ? EXIT.done : EXIT.failed;
  });
}

function payloadOf(invocation: Invocation): SignalPayload {
  const { options } = invocation;
  const payload = orderedBy(invocation, configurationOf(invocation).user.value);
  const [comment, value] = [options.text('comment'), options.text('value')];
  if (comment !== undefined) payload.comment = comment;
  if (value !== undefined) setSpelled(payload, 'value', parseJson(value, '--value'));
  return payload;
}

function print(name: string, decided: readonly DecidedRun[], left: number, terminal: Terminal): void {
  const { out, err, colors } = terminal;
  if (decided.length === 0) {
    err(renderEmpty('no open approval gates', 'see all gates with', 'inbox'));
    return;
  }
  const rows = decided.map(({ run, step, outcome, reason }) => [
    run,
    step,
    outcome === 'applied' ? colors.green(name === 'approve' ? 'approved' : 'rejected') : colors.red(outcome),
    reason ?? '',
  ]);
  out(renderTable(['RUN', 'STEP', 'OUTCOME', 'WHY NOT'], rows, terminal));
  out(`${decided.length - left} of ${decided.length} decided\n`);
}

/** Runs that this process alone works on are not left in the middle of a step. */
async function untilAtRest(client: ThermidorClient, decided: readonly DecidedRun[], { err, interrupted, colors }: Terminal): Promise<void> {
  const ours = new Set(decided.flatMap(({ run, outcome }) => (outcome === 'applied' ? [run] : [])));
  let announced = false;
  while (ours.size > 0 && !interrupted.aborted) {
    const going = await listRuns(client, { state: 'running', limit: MOST });
    if (!going.some(({ run }) => ours.has(run))) return;
    if (!announced) err(`${colors.dim('working on them until each ends or waits; Ctrl-C leaves them to another worker')}\n`);
    announced = true;
    await sleep(LOOK_MS, interrupted);
  }
}
