import { withTeam } from '../../kinds/board/team-file';
import { readBriefStep } from '../../kinds/brief/read';
import { readCommand } from '../../kinds/command/read';
import { stepsBehindAdvice } from '../../kinds/consult/design-conflict';
import { readCoordinate } from '../../kinds/coordinate/read';
import { withTask } from '../../kinds/coordinate/task-file';
import { readLevels } from '../../kinds/escalate/read';
import { readOver } from '../../kinds/for-each/read';
import { withWorktree } from '../../kinds/increments/read';
import { stepsBehindBranches } from '../../kinds/parallel/fan-in';
import { withNestedParallel } from '../../kinds/parallel/nested';
import { readLookBack } from '../../kinds/post-mortem/read';
import { readRepeat } from '../../kinds/repeat/read';
import { readWait } from '../../kinds/wait/read';
import type { Report } from '../diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../read/node';
import type { ReadContext } from './read-context';
import type { OwnSources, StepSource, WorkSource } from './source';

/** Readers of what rows alone do not say, by kind. */
export const READERS: { readonly [K in keyof OwnSources]: Reader<OwnSources[K]> } = {
  brief: readBriefStep,
  command: readCommand,
  coordinate: readCoordinate,
  escalate: readLevels,
  for_each: readOver,
  increments: withWorktree,
  repeat: readRepeat,
  wait: readWait,
};

type Reader<W> = (node: MappingNode, step: StepSource, reading: ReadContext) => W;

/** Brings another spelling of a kind's keys into the usual one, before it is known of which kind the step is. */
export const RESPELLINGS: readonly ((node: MappingNode, report: Report) => MappingNode)[] = [withNestedParallel];

type Behind = (node: MappingNode, id: string, isBranch: boolean, report: Report) => SourceNode[];

/** Steps that keys of a step put behind it. They are read as if the file had them there. */
export const BEHIND: { readonly [K in WorkSource['kind']]?: Behind } = { parallel: stepsBehindBranches, consult: stepsBehindAdvice };

/** Brings a file that has the keys of a step into the form that has `steps`. */
export const FILE_FORMS: readonly ((root: MappingNode) => MappingNode)[] = [withTask, withTeam];

type FileStep = (root: MappingNode, steps: readonly StepSource[], report: Report) => StepSource | undefined;

/** Steps that keys of the file put last into its `finally`. */
export const FILE_STEPS: readonly FileStep[] = [readLookBack];
