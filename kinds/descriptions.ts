import type { ControlStep } from '../plan/steps/control';
import type { Description } from '../plan/steps/description';
import type { Step, StepKind } from '../plan/steps/step';
import { AGENT_DESCRIPTION, type ShownAgent } from './agent/describe';
import { APPROVAL_DESCRIPTION, type ShownApproval } from './approval/describe';
import { BOARD_DESCRIPTION, type ShownBoard } from './board/describe';
import { BRIEF_DESCRIPTION, type ShownBrief } from './brief/describe';
import { CAID_DESCRIPTION, type ShownCaid } from './caid/describe';
import { COMMAND_DESCRIPTION, type ShownCommand } from './command/describe';
import { CONSENSUS_DESCRIPTION, type ShownConsensus } from './consensus/describe';
import { CONSULT_DESCRIPTION, type ShownConsult } from './consult/describe';
import { COORDINATE_DESCRIPTION, type ShownCoordinate } from './coordinate/describe';
import { ESCALATE_DESCRIPTION, type ShownEscalate } from './escalate/describe';
import { FOR_EACH_DESCRIPTION, type ShownForEach } from './for-each/describe';
import { GROUP_DESCRIPTION, type ShownGroup } from './group/describe';
import { INCREMENTS_DESCRIPTION, type ShownIncrements } from './increments/describe';
import { type DescribedInput, INPUT_DESCRIPTION } from './input/describe';
import { MERGE_DESCRIPTION, type ShownMerge } from './merge/describe';
import { NOTIFY_DESCRIPTION, type ShownNotify } from './notify/describe';
import { PARALLEL_DESCRIPTION, type ShownParallel } from './parallel/describe';
import { PIPELINE_DESCRIPTION, type ShownChild } from './pipeline/describe';
import { POST_MORTEM_DESCRIPTION, type ShownPostMortem } from './post-mortem/describe';
import { REPEAT_DESCRIPTION, type ShownRepeat } from './repeat/describe';
import { REVIEW_DESCRIPTION, type ShownReview } from './review/describe';
import { type ShownStages, STAGES_DESCRIPTION } from './stages/describe';
import { type ShownSwarm, SWARM_DESCRIPTION } from './swarm/describe';
import { type ShownSwitch, SWITCH_DESCRIPTION } from './switch/describe';
import { type ShownTask, TASK_DESCRIPTION } from './task/describe';
import { type ShownTracks, TRACKS_DESCRIPTION } from './tracks/describe';
import { type ShownWait, WAIT_DESCRIPTION } from './wait/describe';

/** What a step does, as data: `does` of a dry run's JSON. */
export type ShownWork =
  | ShownAgent
  | ShownReview
  | ShownCommand
  | ShownStages
  | ShownApproval
  | DescribedInput
  | ShownNotify
  | ShownWait
  | ShownParallel
  | ShownSwitch
  | ShownGroup
  | ShownForEach
  | ShownRepeat
  | ShownCoordinate
  | ShownChild
  | ShownMerge
  | ShownCaid
  | ShownBoard
  | ShownConsensus
  | ShownPostMortem
  | ShownTracks
  | ShownEscalate
  | ShownConsult
  | ShownSwarm
  | ShownIncrements
  | ShownTask
  | ShownBrief;

const TABLE = {
  agent: AGENT_DESCRIPTION,
  review: REVIEW_DESCRIPTION,
  command: COMMAND_DESCRIPTION,
  stages: STAGES_DESCRIPTION,
  approval: APPROVAL_DESCRIPTION,
  input: INPUT_DESCRIPTION,
  notify: NOTIFY_DESCRIPTION,
  wait: WAIT_DESCRIPTION,
  parallel: PARALLEL_DESCRIPTION,
  switch: SWITCH_DESCRIPTION,
  group: GROUP_DESCRIPTION,
  for_each: FOR_EACH_DESCRIPTION,
  repeat: REPEAT_DESCRIPTION,
  coordinate: COORDINATE_DESCRIPTION,
  pipeline: PIPELINE_DESCRIPTION,
  merge: MERGE_DESCRIPTION,
  caid: CAID_DESCRIPTION,
  board: BOARD_DESCRIPTION,
  consensus: CONSENSUS_DESCRIPTION,
  post_mortem: POST_MORTEM_DESCRIPTION,
  tracks: TRACKS_DESCRIPTION,
  escalate: ESCALATE_DESCRIPTION,
  consult: CONSULT_DESCRIPTION,
  swarm: SWARM_DESCRIPTION,
  increments: INCREMENTS_DESCRIPTION,
  task: TASK_DESCRIPTION,
  brief: BRIEF_DESCRIPTION,
} satisfies { [K in StepKind]: Description<Extract<Step, { kind: K }>, Extract<ShownWork, { kind: K }>> };

/** By the kind of the step, which each entry is held to above. */
export const DESCRIPTIONS: Readonly<Record<StepKind, Description<Step, ShownWork, ControlStep>>> = TABLE;
