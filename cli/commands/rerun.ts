import { runImported } from '../../client/act-on-run';
import { findRun } from '../../client/find-run';
import { hasEnded } from '../../client/outcome';
import { type StartRun, startRun } from '../../client/start-run';
import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { CarriedGate, CarriedGates } from '../../plan/run/carry';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { isImported } from '../../records/runs/imported-run';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { follow } from '../following/follow';
import { reportChanges } from '../following/report-changes';
import { withArgs } from '../pipelines/run-args';
import { nextLines } from '../rendering/next-actions';
import { oneLine } from '../rendering/text/printable';
import { changedArgs } from '../rerun/arg-readers';
import { type Beginning, beginningOf, type Changes, unreadNotes } from '../rerun/beginning';
import { failedStep } from '../rerun/failed-step';
import { type GatheredCarry, gatherCarry } from '../rerun/gather-carry';
import { isOtherScript, planOfRun, type RerunScript, scheduledOf, scriptOfRun } from '../rerun/original';
import { readViewIfAny } from '../rerun/read-view';
import { blobsOf, unservedNow } from '../serving/check-served';
import { OR_A_SCRIPT, unservedFailure } from '../serving/unserved-agents';
import type { Session } from '../session/session';
import { warnNoWorker } from '../session/unserved-queues';
import { type Opens, withSession } from '../session/with-session';
import { givenFlags } from '../settings/given-flags';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';
import { runId } from '../starting/run-id';
import { starterHere } from '../starting/starter';
import type { Terminal } from '../terminal';
import { currentView } from './status';

/**
 * Starts a new run with the same frozen plan and the results of earlier steps. All mistakes are found before anything is started; the
 * earlier run stays unchanged.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const [json, detach] = [options.flag('json'), options.flag('detach')];
  if (options.flag('worker') && detach) throw usage('--worker works until the run ends or rests, so it goes without --detach');
  const configuration = configurationOf(invocation);
  const opens: Opens = {
    configuration,
    need: detach ? 'answers' : 'worker',
    first: (client) => findRun(client, args[0] ?? ''),
    ...defined({ ownWorker: options.flag('worker') || undefined }),
  };
  return withSession(invocation, opens, async (session) => {
    const view = await currentView(session, args[0] ?? '');
    if (isImported(view.firstRunId)) throw runImported(view.run, 'rerun');
    const order = await prepare(session, view, invocation);
    const { carried, again, gates } = order.carry;
    const printed = { run: order.start.workflowId, rerunOf: view.run, ...order.beginning, carried, again, gates, notes: order.notes };
    if (!(json && detach)) printRerun(printed, json ? terminal.err : terminal.out, terminal);
    const { run } = await startRun(session.client, order.start);
    await warnNoWorker(session, terminal, ' (or rerun with --worker)');
    if (json && detach) terminal.out(`${JSON.stringify(printed, null, 2)}\n`);
    if (detach) return EXIT.done;
    const script = order.script?.script;
    const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true, ...defined({ script }) });
    await reportChanges(session, terminal, run, followed, json);
    return followed.exit;
  });
}

/** The beginning without `--from`: the first step that reads a changed value, or the step that failed, whichever comes first. */
async function whereToBegin(plan: Plan, changes: Changes, { client, configuration }: Session, view: RunView): Promise<Beginning> {
  const failed = await failedStep(view, (run) => readViewIfAny(client, run));
  const found = beginningOf(plan, changes.readers, failed);
  if (found) return found;
  const [line] = nextLines(view, givenFlags(configuration));
  const hint =
    line === undefined ? `e.g. --from ${plan.block.steps.at(-1)?.id ?? 'converge'}` : `${line}; or name a step, e.g. --from converge`;
  throw usage([`rerun needs --from: ${view.run} is ${view.state}, and nothing in it failed`, ...changes.notes].join('; '), hint);
}

interface Order {
  start: StartRun;
  beginning: Beginning;
  carry: GatheredCarry;
  notes: string[];
  script: RerunScript | undefined;
}

async function prepare(session: Session, view: RunView, { options, terminal }: Invocation): Promise<Order> {
  const { client, configuration } = session;
  const stores = recordsOf(configuration);
  const { plan, ref } = await planOfRun(view, stores);
  const before = view.args as Record<string, Json>;
  const args = withArgs(plan, before, options.list('set'), '--set');
  const blob = async (sha256: string): Promise<string> => (await stores.artifacts.get({ sha256 })).toString('utf8');
  const changed = await changedArgs(plan, before, args, blob);
  const changes = { readers: changed, notes: await unreadNotes(plan, changed, options.list('set').length > 0, blob) };
  const named = options.text('from');
  const beginning = named === undefined ? await whereToBegin(plan, changes, session, view) : { from: named };
  const { from } = beginning;
  const otherScript = options.flag('live') ? undefined : options.text('script');
  const script = options.flag('live') ? undefined : await scriptOfRun(view, otherScript, plan, stores, { configuration, terminal });
  if (script === undefined) {
    const refused = unservedFailure(await unservedNow(plan, blobsOf(configuration), configuration, terminal.env), OR_A_SCRIPT);
    if (refused) throw refused;
  }
  const starter = await starterHere({ options, terminal }, configuration);
  const by = {
    ...defined({ startedBy: starter.startedBy, provenStarter: starter.token === undefined ? undefined : (true as const) }),
  };
  const readers = [...new Set(Object.values(changed).flat())];
  const carry = await gatherCarry(
    client,
    stores,
    view.run,
    { from, again: readers, changed, ...((await isOtherScript(view, script, configuration)) ? { otherScript: true } : {}), ...by },
    { plan: ref.sha256, args, ...defined({ script: script?.ref.sha256 }), ...by },
  );
  const notes = [...changes.notes, ...carry.notes];
  const early = readers.filter((id) => carry.again.some((path) => path === id || path.endsWith(`/${id}`)) && id !== from);
  if (early.length > 0)
    notes.push(`${early.join(', ')} ${early.length === 1 ? 'reads' : 'read'} ${Object.keys(changed).join(', ')}: not carried`);
  if (!hasEnded(view.state)) notes.push(`${view.run} is still running: both runs continue`);
  const start: StartRun = {
    workflowId: runId(options.text('id'), plan.name),
    pipeline: view.pipeline,
    plan: ref,
    args,
    carried: carry.ref,
    ...defined({ description: plan.description, script: script?.ref, scheduled: await scheduledOf(view, configuration) }),
    ...starter,
  };
  return { start, beginning, carry, notes, script };
}

/** What a rerun is going to do, printed before it starts. */
export interface PrintedRerun {
  run: string;
  rerunOf: string;
  from: string;
  /** Why it begins there, if no person has named the step. */
  because?: string;
  carried: string[];
  again: string[];
  gates: CarriedGates;
  notes: string[];
}

const NAMED = 12;

export function printRerun(printed: PrintedRerun, write: (text: string) => void, { colors, err }: Pick<Terminal, 'colors' | 'err'>): void {
  const { run, rerunOf, from, because, carried, again, gates, notes } = printed;
  write(`${colors.bold(run)}  ${colors.dim(`rerun of ${rerunOf} from ${from}${because === undefined ? '' : `, ${because}`}`)}\n`);
  write(`  carried over: ${listed(carried)}\n`);
  write(`  runs again: ${listed(again)}\n`);
  if (gates.carried.length > 0) write(`  decisions that remain valid: ${listed(gates.carried.map(decisionText))}\n`);
  if (gates.again.length > 0) write(`  asked again:\n`);
  for (const { gate, because } of gates.again.slice(0, NAMED)) write(`    ${colors.yellow(gate)}: ${oneLine(because)}\n`);
  if (gates.again.length > NAMED) write(`    and ${gates.again.length - NAMED} more\n`);
  for (const note of notes) err(`${colors.yellow('!')} ${note}\n`);
}

function decisionText({ gate, choice, by }: CarriedGate): string {
  return `${gate} (${oneLine(choice)}${by.length > 0 ? ` by ${by.map(oneLine).join(', ')}` : ', by timeout'})`;
}

function listed(paths: readonly string[]): string {
  if (paths.length === 0) return 'nothing';
  const more = paths.length - NAMED;
  return `${paths.slice(0, NAMED).join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}
