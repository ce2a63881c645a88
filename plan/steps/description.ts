import type { AdapterChoice } from '../agents/adapter-choice';
import type { Expr, Template } from '../expressions/expression';
import type { Graph } from '../graph/graph-model';
import type { DecisionPolicy } from '../people/decision-policy';
import type { Gate, GateForm } from '../people/gate';
import type { StepView } from '../run/status';
import type { Json } from '../text/json';
import type { Action } from './action';
import type { ActivityKey } from './control';

/**
 * How a kind of step is shown. One description is made of a step as data; each view of a step (`plan`, `run --dry-run`, its JSON) draws the
 * line and the facts from it, so that none can leave out what another shows.
 */
export interface Description<S, D, C = Omit<S, ActivityKey>> {
  /** What the step does, in the words of its view. */
  data(step: S, words: Words): D;
  /** The data on one line, without a full stop. */
  line(data: D): string;
  /** The other keys, in the order in which people read them. */
  facts(data: D): Fact[];
  /** Who does the step, or where, or how: the second line of its box in a graph. Reads only the part of the plan that controls. */
  label(step: C, view: StepView | undefined): string | undefined;
  /** What is drawn within its box besides the steps of the plan. `id`: that of the box. */
  inside?(step: C, id: string, how: { view: StepView | undefined; expanded: boolean }): Pick<Graph, 'nodes' | 'edges'>;
  shape: Shape;
  /** The name of the frame around its steps. */
  frame?: string;
  /** What a ceiling of its budget `…_per_step` is one for, if not for a step. */
  each?: string;
}

/** The look of its box in a picture; each format has its own way to draw one. */
export type Shape = 'work' | 'judgement' | 'program' | 'person' | 'message' | 'pause' | 'child' | 'frame';

/** `text` may have many lines. */
export interface Fact {
  name: string;
  text: string;
}

/** How templates and expressions are shown: as they are written, or with everything that is known before a run. */
export interface Words {
  text(template: Template): string;
  /** A template as people and agents read it: values that are not texts are indented. */
  readable(template: Template): string;
  /** `raw`: values are put in as they are. */
  shell(template: Template, raw: boolean): string;
  value(template: Template): Json;
  expression(expr: Expr): string;
  /** How long a list is, if that is known. */
  count(expr: Expr): number | undefined;
  /** A blob that the plan names by its digest. */
  blob(sha256: string): Json | undefined;
  /** The request to a step's agent, and who that is. */
  request(step: string): { title?: string; prompt?: string };
  /** The adapter and model that run an agent, if known. */
  runBy(agent: string): ShownRunBy;
}

export type ShownRunBy = Partial<Omit<AdapterChoice, 'adapterFrom'>>;

/** The question of a gate that is a step or comes after one. */
export interface ShownGate
  extends Omit<DecisionPolicy, 'onTimeout'>,
    Partial<Pick<Gate, 'question' | 'choices'>>,
    Pick<GateForm, 'preview' | 'responseSchema' | 'defaults' | 'initiatedBy' | 'requiredApprover'> {
  show?: string[];
  /** What the question is about. */
  subject?: string;
  items?: string;
  onTimeout?: string;
  onReject?: Action[];
  /** A step after a command says so. */
  requireDifferentApprover?: true;
}

/** Where a program runs, and with which environment. */
export interface ShownPlace {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  output?: string;
  schema?: Json;
}
