import { ClientProblem } from '../../client/client-problem';
import { findRun } from '../../client/find-run';
import { readLiveRun } from '../../client/read-live-run';
import { readPlan } from '../../client/read-run';
import { runsChild } from '../../kinds/questions';
import { graphOf } from '../../plan/graph/graph';
import type { ChildGraph, GraphOptions } from '../../plan/graph/graph-model';
import type { ControlPlan } from '../../plan/steps/control';
import { everyStep } from '../../plan/steps/walk';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { checkedPipeline } from '../pipelines/checked-pipeline';
import { planFromText, storedPlan } from '../pipelines/child-plans';
import { hasUnicode } from '../rendering/drawing/ascii-marks';
import { drawGraph } from '../rendering/drawing/draw-graph';
import { GRAPH_FORMATS, renderGraph } from '../rendering/graph/graph';
import type { Session } from '../session/session';
import { withSession } from '../session/with-session';
import { recordsOf } from '../settings/records';
import { configurationOf } from '../settings/settings';

/** Draws a pipeline; with `--run`, that run's own plan, coloured by what happened. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const asked = GRAPH_FORMATS.find((known) => known === options.text('format'));
  const run = options.text('run');
  const given = args[0];
  if (run === undefined && given === undefined) throw usage('graph needs a pipeline, or --run RUN');
  const { plan, ...more } = run === undefined ? fromFile(invocation, given ?? '') : await fromRun(invocation, run);
  const graph = graphOf(plan, { ...more, expanded: options.flag('expanded') });
  if (asked === undefined && terminal.live && !options.flag('json')) {
    terminal.out(drawGraph(graph, { columns: terminal.columns(), unicode: hasUnicode(terminal.env), colors: terminal.colors }));
    return EXIT.done;
  }
  const format = asked ?? 'mermaid';
  const text = renderGraph(graph, format, terminal.colors);
  terminal.out(options.flag('json') ? `${JSON.stringify({ ...graph, [format]: text }, null, 2)}\n` : text);
  return EXIT.done;
}

type Drawn = GraphOptions & { plan: ControlPlan };

function fromFile({ options, terminal }: Invocation, given: string): Drawn {
  const { compiled } = checkedPipeline(given, configurationOf({ options, terminal }), terminal);
  return {
    plan: compiled.plan,
    child: ({ plan: digest }) => {
      const plan = planFromText(compiled.blobs.get(digest)?.content);
      return plan && { plan };
    },
  };
}

function fromRun(invocation: Invocation, given: string): Promise<Drawn> {
  return withSession(invocation, 'answers', async (session) => {
    const { run } = await findRun(session.client, given);
    const top = await readDrawn(session, run);
    const children = await childrenOf(session, top);
    return {
      ...top,
      child: (step, view) => (view?.child === undefined ? children.plans.get(step.plan) : children.runs.get(view.child)),
    };
  });
}

async function readDrawn({ client }: Session, run: string): Promise<ChildGraph> {
  return { plan: await readPlan(client, run), steps: (await readLiveRun(client, run)).steps };
}

interface Children {
  /** Child runs that began, by workflow id. */
  runs: ReadonlyMap<string, ChildGraph>;
  /** Pipelines of children that have not begun, by digest, if the store has them. */
  plans: ReadonlyMap<string, ChildGraph>;
}

/** A child that is not open yet, or whose worker is away, is drawn from its plan alone or as one node. */
async function childrenOf(session: Session, top: ChildGraph): Promise<Children> {
  const store = recordsOf(session.configuration).artifacts;
  const runs = new Map<string, ChildGraph>();
  const plans = new Map<string, ChildGraph>();
  const visit = async ({ plan, steps }: ChildGraph): Promise<void> => {
    for (const { child } of steps ?? []) {
      if (child === undefined || runs.has(child)) continue;
      try {
        const drawn = await readDrawn(session, child);
        runs.set(child, drawn);
        await visit(drawn);
      } catch (error) {
        if (!(error instanceof ClientProblem) || (error.code !== 'run.unreadable' && error.code !== 'run.not-found')) throw error;
      }
    }
    for (const step of everyStep([...plan.block.steps, ...(plan.finally?.steps ?? [])])) {
      if (!runsChild(step) || plans.has(step.plan)) continue;
      const found = await storedPlan(store, step.plan);
      if (found === undefined) continue;
      plans.set(step.plan, { plan: found });
      await visit({ plan: found });
    }
  };
  await visit(top);
  return { runs, plans };
}
