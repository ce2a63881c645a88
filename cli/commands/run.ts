import { dirname } from 'node:path';
import { type StartRun, startRun } from '../../client/start-run';
import { defined, unlessEmpty } from '../../plan/defined';
import { isTeam } from '../boards/team-order';
import { briefIn } from '../briefs/brief-in';
import { startBrief } from '../briefs/start-brief';
import type { Invocation } from '../command';
import { dryRun } from '../dry-run/dry-run';
import { CommandFailure, EXIT, usage } from '../exit';
import { follow } from '../following/follow';
import { reportChanges } from '../following/report-changes';
import { queuesIn } from '../pipelines/child-plans';
import { recordFollowed } from '../recording/record-followed';
import { renderDryRun } from '../rendering/dry-run';
import { describeUnserved } from '../serving/unserved-agents';
import type { Session } from '../session/session';
import { warnNoWorker, warnUnservedQueues } from '../session/unserved-queues';
import { type Opens, withSession } from '../session/with-session';
import { type OrderTerms, type RunOrder, readOrder } from '../starting/order';
import { runId } from '../starting/run-id';
import { storedOrder } from '../starting/stored-order';
import type { Terminal } from '../terminal';

/** Starts a run and follows it. */
export function execute(invocation: Invocation): Promise<number> {
  return startAndFollow(invocation, invocation.options.flag('dryRun') ? {} : { requires: requireNoTeam });
}

export async function startAndFollow(invocation: Invocation, terms: OrderTerms): Promise<number> {
  const { options, terminal } = invocation;
  const [json, detach] = [options.flag('json'), options.flag('detach')];
  const isDry = options.flag('dryRun');
  const order = await readOrder(invocation, terms);
  if (isDry) return printDryRun(order, terminal, json);
  if (options.flag('worker') && detach) throw usage('--worker works until the run ends or rests, so it goes without --detach');
  const start = await storeOrder(order);
  // If this process's worker is the only one, it takes the steps of every queue that the pipeline names.
  const queues = [...queuesIn(order.compiled.plan, (digest) => order.compiled.blobs.get(digest)?.content)];
  const opens: Opens = {
    configuration: order.configuration,
    need: detach ? 'server' : 'worker',
    begins: true,
    pipelineDirs: [dirname(order.pipeline.path)],
    ...defined({ ownWorker: options.flag('worker') || undefined, queues: unlessEmpty(queues) }),
  };
  return withSession(invocation, opens, async (session) => {
    const run = await startOrder(session, order, start);
    await warnNoWorker(session, terminal, ' (or run with --worker)');
    await warnUnservedQueues(session, queues, terminal);
    return detach ? leaveStarted(session, terminal, run, json) : await followStarted(session, terminal, run, order, json);
  });
}

/** Starts the run of an order that is stored. Fails as `startRun` and `startBrief`. */
export async function startOrder(session: Session, order: RunOrder, start: StartRun): Promise<string> {
  const { run } = await (briefIn(order) ? startBrief(session, start) : startRun(session.client, start));
  return run;
}

/** A team has one run at a time, under an id of its own. */
function requireNoTeam({ compiled: { plan }, pipeline }: Pick<RunOrder, 'compiled' | 'pipeline'>): void {
  if (!isTeam(plan)) return;
  throw new CommandFailure(EXIT.usage, 'team.no-pipeline', `${pipeline.file} is a team, not a pipeline`, {
    hint: `start it with: thermidor team start ${plan.name}`,
  });
}

async function followStarted(session: Session, terminal: Terminal, run: string, order: RunOrder, json: boolean): Promise<number> {
  const script = order.script?.script;
  announce(session, terminal, run, script?.name, json);
  const followed = await follow({ session, terminal, run, json, leaveWhenWaiting: true, ...defined({ script }) });
  await reportChanges(session, terminal, run, followed, json);
  if (order.recordIn !== undefined) await recordFollowed(session, terminal, run, order.recordIn);
  return followed.exit;
}

function announce(session: Session, terminal: Terminal, run: string, script: string | undefined, json: boolean): void {
  const print = json ? terminal.err : terminal.out;
  const { colors } = terminal;
  print(`${colors.bold(run)}  ${colors.dim(session.embedded?.uiUrl ?? session.client.address)}\n`);
  if (script === undefined) return;
  print(`${colors.yellow(`The script "${script}" plays the agents: no model is called.`)}\n`);
}

function leaveStarted(session: Session, terminal: Terminal, run: string, json: boolean): number {
  const { address, namespace } = session.client;
  if (json) terminal.out(`${JSON.stringify({ run, state: 'running', address, namespace }, null, 2)}\n`);
  else terminal.out(`${run}\n`);
  if (session.served === 'nowhere') terminal.err(`It needs a worker to continue: thermidor watch ${run}, or thermidor up.\n`);
  return EXIT.done;
}

/** Needs no server, no worker and no store: the order is checked as for a run, and then only printed. */
function printDryRun(
  { compiled, configuration, args, id, script, scheduled, unserved }: RunOrder,
  terminal: Terminal,
  json: boolean,
): number {
  const { plan, blobs } = compiled;
  const run = dryRun({
    plan,
    blobs,
    args,
    settings: configuration,
    ...defined({ script: script?.script.name, runId: id, scheduled }),
  });
  run.problems.push(...unserved.map(describeUnserved));
  terminal.out(json ? `${JSON.stringify(run, null, 2)}\n` : renderDryRun(run, terminal.colors));
  return EXIT.done;
}

/**
 * The order to the server. Plan, blobs and script are in the store before there is a run that needs them. Fails with `store.unavailable`.
 */
export async function storeOrder(order: RunOrder): Promise<StartRun> {
  const { starter, compiled, args, id, postMortem, scheduled } = order;
  const { plan } = compiled;
  const workflowId = runId(id, plan.name);
  return {
    workflowId,
    pipeline: plan.name,
    args,
    ...defined({ description: plan.description }),
    ...starter,
    ...defined({ postMortem, scheduled }),
    ...(await storedOrder(order)),
  };
}
