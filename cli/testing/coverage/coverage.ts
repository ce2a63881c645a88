import type { Plan } from '../../../plan/plan';
import type { TestFacts } from '../test-facts';
import { type Point, pointsOf } from './points';
import { reachedBy } from './reached';

/** What the tests of a pipeline reach; `--json` prints it unchanged. */
export interface PipelineCoverage {
  pipeline: string;
  file: string;
  steps: Share;
  /** Conditions both ways, `on_…` actions, parallel branches, bodies of loops. */
  branches: Share;
  missed: Pick<Point, 'kind' | 'step' | 'what'>[];
}

export interface Share {
  reached: number;
  total: number;
  /** Rounded down to a tenth; 100 if there is nothing to reach. */
  percent: number;
}

/** Takes note of runs, pipeline by pipeline. */
export class Coverage {
  private readonly pipelines = new Map<string, { plan: Plan; reached: Set<string> }>();

  /** Counts a pipeline from here on, even if no test of it runs. */
  expect(file: string, plan: Plan): void {
    if (!this.pipelines.has(file)) this.pipelines.set(file, { plan, reached: new Set() });
  }

  note(file: string, facts: Pick<TestFacts, 'journal' | 'view'>): void {
    const of = this.pipelines.get(file);
    if (!of) throw new TypeError(`no pipeline is expected at ${file}`);
    for (const key of reachedBy(of.plan, facts)) of.reached.add(key);
  }

  report(): PipelineCoverage[] {
    return [...this.pipelines].map(([file, { plan, reached }]) => {
      const points = pointsOf(plan);
      const missed = points.filter(({ key }) => !reached.has(key));
      const share = (ofKind: (point: Point) => boolean): Share => {
        const total = points.filter(ofKind).length;
        return shareOf(total - missed.filter(ofKind).length, total);
      };
      return {
        pipeline: plan.name,
        file,
        steps: share(({ kind }) => kind === 'step'),
        branches: share(({ kind }) => kind !== 'step'),
        missed: missed.map(({ kind, step, what }) => ({ kind, step, what })),
      };
    });
  }
}

function shareOf(reached: number, total: number): Share {
  return { reached, total, percent: total === 0 ? 100 : Math.floor((reached / total) * 1000) / 10 };
}
