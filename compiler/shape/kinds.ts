import { readAgent } from '../../kinds/agent/read';
import { readApproval } from '../../kinds/approval/read';
import { readCaid } from '../../kinds/caid/read';
import { readCommand } from '../../kinds/command/read';
import { readConsensus } from '../../kinds/consensus/read';
import { readConsult } from '../../kinds/consult/read';
import { readCoordinate } from '../../kinds/coordinate/read';
import { readEscalate } from '../../kinds/escalate/read';
import { readForEach } from '../../kinds/for-each/read';
import { readGroup } from '../../kinds/group/read';
import { readIncrements } from '../../kinds/increments/read';
import { readInput } from '../../kinds/input/read';
import { readMerge } from '../../kinds/merge/read';
import { readNotify } from '../../kinds/notify/read';
import { readParallel } from '../../kinds/parallel/read';
import { readChild } from '../../kinds/pipeline/read';
import { readRepeat } from '../../kinds/repeat/read';
import { readReview } from '../../kinds/review/read';
import { readSwarm } from '../../kinds/swarm/read';
import { readSwitch } from '../../kinds/switch/read';
import { readTracks } from '../../kinds/tracks/read';
import { readWait } from '../../kinds/wait/read';
import type { MappingNode } from '../read/node';
import type { ReadContext } from './read-context';
import type { StepSource, WorkSource } from './source';
import type { WrittenKind } from './vocabulary';

/** Reads what a step of each kind does: the keys that only some kinds have. Some of them are kept with the step. */
export const READERS = {
  agent: readAgent,
  review: readReview,
  command: readCommand,
  approval: readApproval,
  input: readInput,
  notify: readNotify,
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
  merge: readMerge,
} as const satisfies { [K in WrittenKind]: Reader<Extract<WorkSource, { kind: K }>> };

type Reader<W> = (node: MappingNode, step: StepSource, reading: ReadContext) => W;
