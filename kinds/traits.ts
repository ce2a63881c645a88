import type { CallingAction, KindTraits } from '../plan/steps/kind-traits';
import type { KindView } from '../plan/steps/kind-view';
import type { StepKind } from '../plan/steps/step';
import { AGENT_TRAITS } from './agent/traits';
import { APPROVAL_TRAITS } from './approval/traits';
import { BOARD_TRAITS } from './board/traits';
import { BRIEF_TRAITS } from './brief/traits';
import { CAID_TRAITS } from './caid/traits';
import { COMMAND_TRAITS } from './command/traits';
import { CONSENSUS_TRAITS } from './consensus/traits';
import { CONSULT_TRAITS } from './consult/traits';
import { COORDINATE_TRAITS } from './coordinate/traits';
import { ESCALATE_TRAITS } from './escalate/traits';
import { FOR_EACH_TRAITS } from './for-each/traits';
import { GROUP_TRAITS } from './group/traits';
import { INCREMENTS_TRAITS } from './increments/traits';
import { INPUT_TRAITS } from './input/traits';
import { MERGE_TRAITS } from './merge/traits';
import { NOTIFY_TRAITS } from './notify/traits';
import { PARALLEL_TRAITS } from './parallel/traits';
import { PIPELINE_TRAITS } from './pipeline/traits';
import { POST_MORTEM_TRAITS } from './post-mortem/traits';
import { REPEAT_TRAITS } from './repeat/traits';
import { REVIEW_TRAITS } from './review/traits';
import { STAGES_TRAITS } from './stages/traits';
import { SWARM_TRAITS } from './swarm/traits';
import { SWITCH_TRAITS } from './switch/traits';
import { TASK_TRAITS } from './task/traits';
import { TRACKS_TRAITS } from './tracks/traits';
import { WAIT_TRAITS } from './wait/traits';

/** The traits of every kind. */
const TRAITS = {
  agent: AGENT_TRAITS,
  review: REVIEW_TRAITS,
  command: COMMAND_TRAITS,
  stages: STAGES_TRAITS,
  approval: APPROVAL_TRAITS,
  input: INPUT_TRAITS,
  notify: NOTIFY_TRAITS,
  wait: WAIT_TRAITS,
  parallel: PARALLEL_TRAITS,
  switch: SWITCH_TRAITS,
  group: GROUP_TRAITS,
  for_each: FOR_EACH_TRAITS,
  repeat: REPEAT_TRAITS,
  coordinate: COORDINATE_TRAITS,
  pipeline: PIPELINE_TRAITS,
  merge: MERGE_TRAITS,
  caid: CAID_TRAITS,
  board: BOARD_TRAITS,
  consensus: CONSENSUS_TRAITS,
  post_mortem: POST_MORTEM_TRAITS,
  tracks: TRACKS_TRAITS,
  escalate: ESCALATE_TRAITS,
  consult: CONSULT_TRAITS,
  swarm: SWARM_TRAITS,
  increments: INCREMENTS_TRAITS,
  task: TASK_TRAITS,
  brief: BRIEF_TRAITS,
} as const satisfies Record<StepKind, KindTraits>;

export const STEP_KINDS = Object.keys(TRAITS) as readonly StepKind[];

export function traitsOf(kind: StepKind): KindTraits {
  return TRAITS[kind];
}

/** The kinds that have a trait. */
export type KindsWith<T extends KindTraits | Partial<KindTraits>> = {
  [K in StepKind]: (typeof TRAITS)[K] extends T ? K : never;
}[StepKind];

/** Kinds that an action of their own calls. */
export type CalledKind = KindsWith<{ callable: CallingAction }>;
export const CALLING_ACTIONS = Object.fromEntries(
  STEP_KINDS.flatMap((kind) => {
    const { callable } = traitsOf(kind);
    return typeof callable === 'object' ? [[kind, callable] as const] : [];
  }),
) as Readonly<Record<CalledKind, CallingAction>>;
export const CALLED_KINDS = Object.keys(CALLING_ACTIONS) as readonly CalledKind[];

type ViewOf<K extends StepKind> = (typeof TRAITS)[K] extends { view: infer View } ? View : never;

/** What a step's view has of its kind, each under its own key. */
export type KindViews = {
  [K in StepKind as ViewOf<K> extends KindView<infer Key> ? Key : never]?: ViewOf<K> extends KindView<string, infer View> ? View : never;
};
