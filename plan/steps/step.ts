import type { AgentStep } from '../../kinds/agent/model';
import type { ApprovalStep } from '../../kinds/approval/model';
import type { BoardOf } from '../../kinds/board/model';
import type { BriefOf } from '../../kinds/brief/model';
import type { CaidOf } from '../../kinds/caid/model';
import type { CommandStep } from '../../kinds/command/model';
import type { ConsensusOf } from '../../kinds/consensus/model';
import type { ConsultOf } from '../../kinds/consult/model';
import type { CoordinateOf } from '../../kinds/coordinate/model';
import type { EscalateOf } from '../../kinds/escalate/model';
import type { ForEachOf } from '../../kinds/for-each/model';
import type { GroupOf } from '../../kinds/group/model';
import type { IncrementsOf } from '../../kinds/increments/model';
import type { InputStep } from '../../kinds/input/model';
import type { MergeStep } from '../../kinds/merge/model';
import type { NotifyStep } from '../../kinds/notify/model';
import type { ParallelOf } from '../../kinds/parallel/model';
import type { PipelineStep } from '../../kinds/pipeline/model';
import type { PostMortemOf } from '../../kinds/post-mortem/model';
import type { RepeatOf } from '../../kinds/repeat/model';
import type { ReviewStep } from '../../kinds/review/model';
import type { StagesStep } from '../../kinds/stages/model';
import type { SwarmOf } from '../../kinds/swarm/model';
import type { SwitchOf } from '../../kinds/switch/model';
import type { TaskStep } from '../../kinds/task/model';
import type { TracksOf } from '../../kinds/tracks/model';
import type { WaitStep } from '../../kinds/wait/model';
import type { BlockOf } from './step-base';

/**
 * A step of a frozen plan. Names are resolved, durations are integer milliseconds, expressions are parsed. An absent key means "none", so a
 * plan of a thousand plain steps stays small in workflow history. Each kind's own keys are in its `model.ts`.
 */
export type Step =
  | AgentStep
  | ReviewStep
  | CommandStep
  | StagesStep
  | ApprovalStep
  | InputStep
  | NotifyStep
  | WaitStep
  | ParallelStep
  | SwitchStep
  | GroupStep
  | ForEachStep
  | RepeatStep
  | CoordinateStep
  | PipelineStep
  | MergeStep
  | CaidStep
  | BoardStep
  | ConsensusStep
  | PostMortemStep
  | TracksStep
  | EscalateStep
  | ConsultStep
  | SwarmStep
  | IncrementsStep
  | TaskStep
  | BriefStep;
export type StepKind = Step['kind'];

export type ParallelStep = ParallelOf<Step>;
export type SwitchStep = SwitchOf<Step>;
export type GroupStep = GroupOf<Step>;
export type ForEachStep = ForEachOf<Step>;
export type CaidStep = CaidOf<Step>;
export type BoardStep = BoardOf<Step>;
export type BriefStep = BriefOf<Step>;
export type ConsensusStep = ConsensusOf<Step>;
export type PostMortemStep = PostMortemOf<Step>;
export type TracksStep = TracksOf<Step>;
export type EscalateStep = EscalateOf<Step>;
export type ConsultStep = ConsultOf<Step>;
export type SwarmStep = SwarmOf<Step>;
export type IncrementsStep = IncrementsOf<Step>;
export type RepeatStep = RepeatOf<Step>;
export type CoordinateStep = CoordinateOf<Step>;
export type Block = BlockOf<Step>;

export type { AfterApproval, OutputSpec, RetryPolicy, StepBase, WorktreeSpec } from './step-base';
export type {
  AgentStep,
  ApprovalStep,
  CommandStep,
  InputStep,
  MergeStep,
  NotifyStep,
  PipelineStep,
  ReviewStep,
  StagesStep,
  TaskStep,
  WaitStep,
};
