import { readAgent } from '../../kinds/agent/read';
import { readApproval } from '../../kinds/approval/read';
import { readCaid } from '../../kinds/caid/read';
import { readCommand } from '../../kinds/command/read';
import { readConsensus } from '../../kinds/consensus/read';
import { stepsBehindAdvice } from '../../kinds/consult/design-conflict';
import { readConsult } from '../../kinds/consult/read';
import { readCoordinate } from '../../kinds/coordinate/read';
import { withTask } from '../../kinds/coordinate/task-file';
import { readEscalate } from '../../kinds/escalate/read';
import { readForEach } from '../../kinds/for-each/read';
import { readGroup } from '../../kinds/group/read';
import { readIncrements } from '../../kinds/increments/read';
import { readInput } from '../../kinds/input/read';
import { stepsBehindBranches } from '../../kinds/parallel/fan-in';
import { withNestedParallel } from '../../kinds/parallel/nested';
import { readParallel } from '../../kinds/parallel/read';
import { readChild } from '../../kinds/pipeline/read';
import { readLookBack } from '../../kinds/post-mortem/read';
import { readRepeat } from '../../kinds/repeat/read';
import { readReview } from '../../kinds/review/read';
import { readSwarm } from '../../kinds/swarm/read';
import { readSwitch } from '../../kinds/switch/read';
import { readTracks } from '../../kinds/tracks/read';
import { readWait } from '../../kinds/wait/read';
import type { Report } from '../diagnostics/diagnostic';
import type { MappingNode, SourceNode } from '../read/node';
import type { ReadContext } from './read-context';
import type { OwnSources, StepSource, WorkSource } from './source';

/** Kinds that are more than their rows say. */
export const READERS: { readonly [K in Exclude<keyof OwnSources, 'post_mortem'>]: Reader<OwnSources[K]> } = {
  agent: readAgent,
  review: readReview,
  command: readCommand,
  approval: readApproval,
  input: readInput,
  wait: readWait,
  caid: readCaid,
  consensus: readConsensus,
  tracks: readTracks,
  escalate: readEscalate,
  consult: readConsult,
  swarm: readSwarm,
  increments: readIncrements,
  parallel: readParallel,
  switch: readSwitch,
  group: readGroup,
  for_each: readForEach,
  repeat: readRepeat,
  coordinate: readCoordinate,
  pipeline: readChild,
};

type Reader<W> = (node: MappingNode, step: StepSource, reading: ReadContext) => W;

/** Brings another spelling of a kind's keys into the usual one, before it is known of which kind the step is. */
export const RESPELLINGS: readonly ((node: MappingNode, report: Report) => MappingNode)[] = [withNestedParallel];

type Behind = (node: MappingNode, id: string, isBranch: boolean, report: Report) => SourceNode[];

/** Steps that keys of a step put behind it. They are read as if the file had them there. */
export const BEHIND: { readonly [K in WorkSource['kind']]?: Behind } = { parallel: stepsBehindBranches, consult: stepsBehindAdvice };

/** Brings a file that has the keys of a step into the form that has `steps`. */
export const FILE_FORMS: readonly ((root: MappingNode) => MappingNode)[] = [withTask];

type FileStep = (root: MappingNode, steps: readonly StepSource[], report: Report) => StepSource | undefined;

/** Steps that keys of the file put last into its `finally`. */
export const FILE_STEPS: readonly FileStep[] = [readLookBack];
