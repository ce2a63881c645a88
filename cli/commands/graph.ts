import type { ControlPlan } from '../../plan/control';
import type { StepView } from '../../plan/status';
import { checkedPipeline } from '../checked-pipeline';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { GRAPH_FORMATS, renderGraph } from '../rendering/graph';
import { graphOf } from '../rendering/graph-model';
import { openSession } from '../session';
import { configurationOf } from '../settings';

/** A pipeline as a picture; with `--run`, that run's own plan, coloured by what happened. */
export async function execute(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const format = GRAPH_FORMATS.find((known) => known === options.text('format')) ?? (terminal.live ? 'ascii' : 'mermaid');
  const run = options.text('run');
  const given = args[0];
  if (run === undefined && given === undefined) throw usage('graph needs a pipeline, or --run RUN');
  const { plan, steps } = run === undefined ? fromFile(invocation, given ?? '') : await fromRun(invocation, run);
  const graph = graphOf(plan, steps);
  const text = renderGraph(graph, format, terminal.colors);
  terminal.out(options.flag('json') ? `${JSON.stringify({ ...graph, [format]: text }, null, 2)}\n` : text);
  return EXIT.done;
}

interface Drawn {
  plan: ControlPlan;
  steps: StepView[];
}

function fromFile({ options, terminal }: Invocation, given: string): Drawn {
  return { plan: checkedPipeline(given, configurationOf({ options, terminal }), terminal).compiled.plan, steps: [] };
}

async function fromRun({ options, terminal }: Invocation, given: string): Promise<Drawn> {
  const { findRun } = require('../../client/find-run') as typeof import('../../client/find-run');
  const { readPlan, readStatus } = require('../../client/read-run') as typeof import('../../client/read-run');
  const session = await openSession({
    configuration: configurationOf({ options, terminal }),
    need: 'answers',
    progress: (line) => terminal.err(`${terminal.colors.dim(line)}\n`),
  });
  try {
    const { run } = await findRun(session.client, given);
    const { steps } = await readStatus(session.client, run);
    return { plan: await readPlan(session.client, run), steps };
  } finally {
    await session.close();
  }
}
