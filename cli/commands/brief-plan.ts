import { dirname } from 'node:path';
import { endOutput } from '../../client/outcome';
import { readJournal } from '../../client/read-journal';
import { type HandOff, isStoredPlan } from '../../plan/brief/hand-off';
import { defined } from '../../plan/defined';
import { isArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import { plain } from '../../plan/text/spelled-json';
import { briefFlags } from '../briefs/brief-flags';
import { briefIn, requireBrief } from '../briefs/brief-in';
import { planWarnings } from '../briefs/plan-warnings';
import type { Invocation } from '../command';
import { EXIT } from '../exit';
import { type Followed, follow } from '../following/follow';
import { reportChanges } from '../following/report-changes';
import { briefPlanGraph, renderBriefPlan, warningLine } from '../rendering/brief-plan';
import { hasUnicode } from '../rendering/drawing/ascii-marks';
import { drawGraph } from '../rendering/drawing/draw-graph';
import { renderGraph } from '../rendering/graph/graph';
import { oneLine } from '../rendering/text/printable';
import type { Session } from '../session/session';
import { shownContent } from '../session/shown-content';
import { warnNoWorker } from '../session/unserved-queues';
import { type Opens, withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { readOrder } from '../starting/order';
import { startOrder, storeOrder } from './run';

/** Asks only the planner, in a run of its own that has no other part, and prints the plan. */
export async function execute(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const order = await readOrder(invocation, { requires: requireBrief, brief: { flags: briefFlags(invocation), until: 'plan' } });
  const start = await storeOrder(order);
  const opens: Opens = {
    configuration: order.configuration,
    need: 'worker',
    begins: true,
    pipelineDirs: [dirname(order.pipeline.path)],
    ...defined({ ownWorker: options.flag('worker') || undefined }),
  };
  return withSession(invocation, opens, async (session) => {
    const run = await startOrder(session, order, start);
    terminal.err(`${terminal.colors.bold(run)}  ${terminal.colors.dim('asks the planner, and nobody else')}\n`);
    await warnNoWorker(session, terminal, ' (or plan with --worker)');
    const script = order.script?.script;
    const followed = await follow({ session, terminal, run, json: true, leaveWhenWaiting: true, ...defined({ script }) });
    if (followed.exit !== EXIT.done) await reportChanges(session, terminal, run, followed, options.flag('json'));
    else await printPlan(session, invocation, run, followed, briefIn(order) ?? { project: '', authorized: [] });
    return followed.exit;
  });
}

async function printPlan(
  session: Session,
  { options, terminal }: Invocation,
  run: string,
  followed: Followed,
  brief: { project: string; authorized: readonly string[] },
): Promise<void> {
  const { colors } = terminal;
  const plan = await planOf(session, followed);
  const warnings = planWarnings(plan, brief.authorized);
  const noticed = await noticedIn(session, run);
  if (options.flag('json')) {
    const { rationale = null, subtasks: sub_tasks } = plan;
    const graph = options.flag('graph') ? { graph: renderGraph(briefPlanGraph(brief.project, plan), 'mermaid', colors) } : {};
    const warned = warnings.map(({ subTask, ...found }) => ({ sub_task: subTask, ...found }));
    const document = { run, project: brief.project, rationale, sub_tasks, warnings: warned, noticed, ...graph };
    terminal.out(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  terminal.out(options.flag('graph') ? drawn(brief.project, plan, terminal) : renderBriefPlan(plan, terminal));
  for (const line of [...warnings.map(warningLine), ...noticed]) terminal.err(`${colors.yellow('!')} ${line}\n`);
}

function drawn(project: string, plan: HandOff<'plan'>, { live, colors, columns, env }: Invocation['terminal']): string {
  const graph = briefPlanGraph(project, plan);
  return live ? drawGraph(graph, { columns: columns(), unicode: hasUnicode(env), colors }) : renderGraph(graph, 'mermaid', colors);
}

/** The output of the run is the planner's hand-off, as the engine has read it. */
async function planOf({ configuration }: Session, { view, outcome }: Followed): Promise<HandOff<'plan'>> {
  const output = endOutput(outcome);
  if (!view || !isArtifactRef(output)) throw bug('a run that plans has no plan');
  const content = await shownContent(recordsOf(configuration), view);
  const plan = plain(await content.read(output));
  if (!isStoredPlan(plan)) throw bug('the output of a run that plans is no plan');
  return plan;
}

/** What the detectors have found in the planner's reply. */
async function noticedIn({ client, configuration }: Session, run: string): Promise<string[]> {
  const entries = await readJournal(client, run, recordsOf(configuration).artifacts);
  return entries.flatMap((entry) => ('event' in entry && entry.event === 'noticed' ? [`the ${entry.role}: ${oneLine(entry.reason)}`] : []));
}
