import { graphOf } from '../../../plan/graph';
import { mermaid } from '../../../plan/mermaid';
import type { Run } from '../run';
import { stepViews } from './views';

/** The pipeline as a Mermaid flow chart, coloured by what happened. */
export function runGraph(run: Run): { mermaid: string } {
  return { mermaid: mermaid(graphOf(run.plan, { steps: stepViews(run) })) };
}
