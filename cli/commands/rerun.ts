import { hasEnded } from '../../client/outcome';
import type { StartRun } from '../../client/start-run';
import { type Json, sameJson } from '../../plan/json';
import type { RunView } from '../../plan/status';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { follow } from '../following/follow';
import { report } from '../following/report';
import { withArgs } from '../pipelines/run-args';
import { stepsReadingArgs } from '../rerun/arg-readers';
import { type GatheredCarry, gatherCarry } from '../rerun/gather-carry';
import { planOfRun, type RerunScript, scriptOfRun } from '../rerun/original';
import { blobsOf, unservedNow } from '../serving/serving';
import { OR_A_SCRIPT, refusal } from '../serving/unserved-agents';
import { openSession, type Session } from '../session/session';
import { toldTo } from '../session/with-session';
import { configurationOf } from '../settings/settings';
import { runId } from '../starting/run-id';
import { openStores } from '../store';
import type { Terminal } from '../terminal';
import { userOf } from '../user';
import { currentView } from './status';

/**
 * A new run with the same frozen plan and the results of earlier steps. Everything that can be wrong with the order is found before
 * anything is started; the run before it stays as it is.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const from = options.text('from');
  if (from === undefined) throw usage('rerun needs --from', 'e.g. --from converge');
  const [json, detach] = [options.flag('json'), options.flag('detach')];
  const configuration = configurationOf(invocation);
  const session = await openSession({
    configuration,
    need: detach ? 'answers' : 'worker',
    ...toldTo(terminal),
  });
  try {
    const view = await currentView(session, args[0] ?? '');
    const order = await prepare(session, view, from, invocation);
    const { startRun } = require('../../client/start-run') as typeof import('../../client/start-run');
    const { run } = await startRun(session.client, order.start);
    const told = { run, rerunOf: view.run, from, carried: order.carry.carried, again: order.carry.again, notes: order.notes };
    if (json && detach) terminal.out(`${JSON.stringify(told, null, 2)}\n`);
    else print(told, json ? terminal.err : terminal.out, terminal);
    if (detach) return EXIT.done;
    const script = order.script?.script;
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true, ...(script ? { script } : {}) });
    await report(session, terminal, run, followed, json);
    return followed.exit;
  } finally {
    await session.close();
  }
}

interface Order {
  start: StartRun;
  carry: GatheredCarry;
  notes: string[];
  script: RerunScript | undefined;
}

async function prepare(session: Session, view: RunView, from: string, { options, terminal }: Invocation): Promise<Order> {
  const { client, configuration } = session;
  const stores = openStores(configuration.stateDir.value);
  const { plan, ref } = await planOfRun(view, stores);
  const before = view.args as Record<string, Json>;
  const args = withArgs(plan, before, options.list('set'), '--set');
  const changed = new Set(Object.keys(args).filter((name) => !sameJson(args[name] ?? null, before[name] ?? null)));
  const readers = await stepsReadingArgs(plan, changed, async (sha256) => (await stores.artifacts.get({ sha256 })).toString('utf8'));
  const named = options.flag('live') ? undefined : options.text('script');
  const script = options.flag('live') ? undefined : await scriptOfRun(view, named, plan, stores, { configuration, terminal });
  if (script === undefined) {
    const refused = refusal(await unservedNow(plan, blobsOf(configuration), configuration, terminal.env), OR_A_SCRIPT);
    if (refused) throw refused;
  }
  const carry = await gatherCarry(client, stores, view.run, { from, again: readers }, { plan: ref.sha256, args });
  const notes = [...carry.notes];
  const early = readers.filter((id) => carry.again.some((path) => path === id || path.endsWith(`/${id}`)) && id !== from);
  if (early.length > 0) notes.push(`${early.join(', ')} ${early.length === 1 ? 'reads' : 'read'} ${[...changed].join(', ')}: not carried`);
  if (!hasEnded(view.state)) notes.push(`${view.run} still goes on: both runs do`);
  const startedBy = userOf(terminal, configuration.user.value);
  const start: StartRun = {
    workflowId: runId(options.text('id'), plan.name),
    pipeline: view.pipeline,
    plan: ref,
    args,
    carried: carry.ref,
    ...(plan.description === undefined ? {} : { description: plan.description }),
    ...(script === undefined ? {} : { script: script.ref }),
    ...(startedBy === undefined ? {} : { startedBy }),
  };
  return { start, carry, notes, script };
}

interface Told {
  run: string;
  rerunOf: string;
  from: string;
  carried: string[];
  again: string[];
  notes: string[];
}

const NAMED = 12;

function print({ run, rerunOf, from, carried, again, notes }: Told, write: (text: string) => void, { colors, err }: Terminal): void {
  write(`${colors.bold(run)}  ${colors.dim(`rerun of ${rerunOf} from ${from}`)}\n`);
  write(`  carried over: ${listed(carried)}\n`);
  write(`  runs again: ${listed(again)}\n`);
  for (const note of notes) err(`${colors.yellow('!')} ${note}\n`);
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing';
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
