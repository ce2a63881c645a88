import type { StepView } from '../run/status';
import type { StepState } from '../run/step-state';
import type { ControlOf, ControlPlan } from '../steps/control';
import type { StepKind } from '../steps/step';
import type { Verdict } from '../steps/verdict';

/**
 * A pipeline as a picture shows it: steps and their inner steps, what each waits for, and the ways back. The workflow's own `graph` query
 * and the command line draw the same one; mermaid, dot and ascii only write it out.
 *
 * Invariants: 1. every id is unique in the picture, those of child pipelines included (`release/build`); 2. an edge names existing ids; 3.
 * pure: the same plan and states give the same picture.
 */
export interface Graph {
  name: string;
  /** Nodes in the plan's order; the steps of `finally` come last. */
  nodes: GraphNode[];
  edges: GraphEdge[];
}

export interface GraphNode {
  id: string;
  /** The step's own id. */
  name: string;
  /**
   * `gate` is the approval after a step's work, `task` one of a team's tasks, or a phase or point of two tracks, `finally` the whole
   * `finally` block.
   */
  kind: StepKind | 'gate' | 'task' | 'finally';
  /** Who does the step, or where, or how. */
  label?: string;
  /** A step that runs on a condition only. */
  conditional: boolean;
  state?: StepState;
  round?: number;
  verdict?: Verdict;
  /** Longest way from a beginning of its block: its row in the picture. */
  depth: number;
  /** Branches of a parallel, steps of a group or loop, the pipeline of a child. */
  within?: GraphNode[];
}

export interface GraphEdge {
  from: string;
  to: string;
  /** `back`: to an earlier step, for another round; `next`: to the next item of a loop; `finally`: whatever happened. */
  kind: 'order' | 'back' | 'next' | 'finally';
  label?: string;
}

export interface GraphOptions {
  /** The steps of a run, for their states. */
  steps?: readonly StepView[];
  /** The parts of collaboration patterns are drawn. */
  expanded?: boolean;
  /** The pipeline of a child, if it is known; else the step is one node. */
  child?: (step: ControlOf<'pipeline'>, view: StepView | undefined) => ChildGraph | undefined;
}

export interface ChildGraph {
  plan: ControlPlan;
  steps?: readonly StepView[];
}
