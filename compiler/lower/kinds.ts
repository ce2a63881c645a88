import { AGENT_LOWERING } from '../../kinds/agent/lower';
import { APPROVAL_LOWERING } from '../../kinds/approval/lower';
import { BOARD_LOWERING } from '../../kinds/board/lower';
import { BRIEF_LOWERING } from '../../kinds/brief/lower';
import { CAID_LOWERING } from '../../kinds/caid/lower';
import { COMMAND_LOWERING } from '../../kinds/command/lower';
import { CONSENSUS_LOWERING } from '../../kinds/consensus/lower';
import { CONSULT_LOWERING } from '../../kinds/consult/lower';
import { COORDINATE_LOWERING } from '../../kinds/coordinate/lower';
import { ESCALATE_LOWERING } from '../../kinds/escalate/lower';
import { FOR_EACH_LOWERING } from '../../kinds/for-each/lower';
import { GROUP_LOWERING } from '../../kinds/group/lower';
import { INCREMENTS_LOWERING } from '../../kinds/increments/lower';
import { INPUT_LOWERING } from '../../kinds/input/lower';
import { MERGE_LOWERING } from '../../kinds/merge/lower';
import { NOTIFY_LOWERING } from '../../kinds/notify/lower';
import { PARALLEL_LOWERING } from '../../kinds/parallel/lower';
import { PIPELINE_LOWERING } from '../../kinds/pipeline/lower';
import { POST_MORTEM_LOWERING } from '../../kinds/post-mortem/lower';
import { REPEAT_LOWERING } from '../../kinds/repeat/lower';
import { REVIEW_LOWERING } from '../../kinds/review/lower';
import { SWARM_LOWERING } from '../../kinds/swarm/lower';
import { SWITCH_LOWERING } from '../../kinds/switch/lower';
import { TASK_LOWERING } from '../../kinds/task/lower';
import { TRACKS_LOWERING } from '../../kinds/tracks/lower';
import { WAIT_LOWERING } from '../../kinds/wait/lower';
import type { WorkSource } from '../shape/source';
import type { KindLowering } from './kind-lowering';

/** How steps of each kind come into the plan. */
const TABLE = {
  agent: AGENT_LOWERING,
  review: REVIEW_LOWERING,
  command: COMMAND_LOWERING,
  approval: APPROVAL_LOWERING,
  input: INPUT_LOWERING,
  notify: NOTIFY_LOWERING,
  wait: WAIT_LOWERING,
  caid: CAID_LOWERING,
  board: BOARD_LOWERING,
  consensus: CONSENSUS_LOWERING,
  tracks: TRACKS_LOWERING,
  escalate: ESCALATE_LOWERING,
  consult: CONSULT_LOWERING,
  swarm: SWARM_LOWERING,
  increments: INCREMENTS_LOWERING,
  parallel: PARALLEL_LOWERING,
  switch: SWITCH_LOWERING,
  group: GROUP_LOWERING,
  for_each: FOR_EACH_LOWERING,
  repeat: REPEAT_LOWERING,
  coordinate: COORDINATE_LOWERING,
  pipeline: PIPELINE_LOWERING,
  merge: MERGE_LOWERING,
  post_mortem: POST_MORTEM_LOWERING,
  task: TASK_LOWERING,
  brief: BRIEF_LOWERING,
} satisfies { [K in WorkSource['kind']]: KindLowering<Extract<WorkSource, { kind: K }>> };

/** The same table by the kind of what was read; the entries' types are checked above. */
export const LOWERING: Readonly<Record<WorkSource['kind'], KindLowering<WorkSource>>> = TABLE;
