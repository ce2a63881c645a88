import type { AdapterChoice } from '../agents/adapter-choice';
import type { Expr, Template } from '../expressions/expression';
import type { Graph } from '../graph/graph-model';
import type { CommentRule } from '../people/decision-policy';
import type { StepView } from '../run/status';
import type { Json } from '../text/json';
import type { Action } from './action';
import type { ActivityKey } from './control';

/**
 * How a kind of step is shown. One description is made of a step as data; each view of a step (`plan`, `run --dry-run`, its JSON) draws
 * the line and the facts from it, so that none can leave out what another says.
 */
export interface Description<S, D, C = Omit<S, ActivityKey>> {
  /** What the step does, in the words of its view. */
  data(step: S, words: Words): D;
  /** That on one line, without a full stop. */
  line(data: D): string;
  /** What else its keys say, in the order in which people read it. */
  facts(data: D): Fact[];
  /** Who does it, where, or how: the second line of its box in a graph. Of the part of the plan that controls. */
  label(step: C, view: StepView | undefined): string | undefined;
  /** What is drawn within its box besides the steps of the plan. `id`: that of the box. */
  inside?(step: C, id: string, how: { view: StepView | undefined; expanded: boolean }): Pick<Graph, 'nodes' | 'edges'>;
  shape: Shape;
  /** What the frame around its steps is called. */
  frame?: string;
}

/** What its box in a picture looks like; each format has its own way to draw one. */
export type Shape = 'work' | 'judgement' | 'program' | 'person' | 'message' | 'pause' | 'child' | 'frame';

/** `text` may have many lines. */
export interface Fact {
  name: string;
  text: string;
}

/** How templates and expressions are shown: as they are written, or with everything that is known before a run. */
export interface Words {
  text(template: Template): string;
  /** As people and agents read it: values that are no text are indented. */
  readable(template: Template): string;
  /** `raw`: values are put in as they are. */
  shell(template: Template, raw: boolean): string;
  value(template: Template): Json;
  expression(expr: Expr): string;
  /** How long a list is, where that is known. */
  count(expr: Expr): number | undefined;
  /** What the plan names by its digest. */
  blob(sha256: string): Json | undefined;
  /** What the agent of a step would be asked, and who that is. */
  request(step: string): { title?: string; prompt?: string };
  /** By which adapter and model an agent is run, where that is known. */
  runBy(agent: string): ShownRunBy;
}

export type ShownRunBy = Partial<Omit<AdapterChoice, 'adapterFrom'>>;

/** What a person is asked, of a gate that is a step or comes after one. */
export interface ShownGate {
  question?: string;
  channel?: string;
  approvers?: string[];
  show?: string[];
  preview?: string;
  /** What the question is about. */
  subject?: string;
  items?: string;
  quorum?: number;
  fourEyes?: true;
  identity?: 'proven';
  comment?: CommentRule;
  choices?: readonly string[];
  remindMs?: number;
  onTimeout?: string;
  onReject?: Action[];
  responseSchema?: Json;
  defaults?: Json;
  initiatedBy?: string;
  /** Who must, and must not, decide, where a step behind a command says so. */
  requiredApprover?: string;
  requireDifferentApprover?: true;
}

/** Where and with what a program runs. */
export interface ShownPlace {
  cwd?: string;
  env?: Record<string, string>;
  stdin?: string;
  output?: string;
  schema?: Json;
}
