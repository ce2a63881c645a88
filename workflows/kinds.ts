import { performAgent } from '../kinds/agent/run';
import { isDecided, performApproval } from '../kinds/approval/run';
import { commandBoard, decideOnBoard, lookUpBoards, noteAsked, performBoard, takeExchanges } from '../kinds/board/run';
import { performBrief } from '../kinds/brief/run';
import { performCaid } from '../kinds/caid/run';
import { performCommand } from '../kinds/command/run';
import { performConsensus } from '../kinds/consensus/run';
import { performConsult } from '../kinds/consult/run';
import { performCoordinate } from '../kinds/coordinate/run';
import { performEscalate } from '../kinds/escalate/run';
import { performForEach } from '../kinds/for-each/run';
import { performGroup } from '../kinds/group/run';
import { performIncrements } from '../kinds/increments/run';
import { performInput } from '../kinds/input/run';
import { performMerge } from '../kinds/merge/run';
import { performNotify } from '../kinds/notify/run';
import { performParallel } from '../kinds/parallel/run';
import { performPipeline } from '../kinds/pipeline/run';
import { performPostMortem } from '../kinds/post-mortem/run';
import { isApproval } from '../kinds/questions';
import { performRepeat } from '../kinds/repeat/run';
import { afterReview } from '../kinds/review/run';
import { performStages } from '../kinds/stages/run';
import { performSwarm } from '../kinds/swarm/run';
import { performSwitch } from '../kinds/switch/run';
import { performTask } from '../kinds/task/run';
import { performTracks } from '../kinds/tracks/run';
import { performWait } from '../kinds/wait/run';
import { unreachable } from '../plan/unreachable';
import type { KindCode, Work } from './interpreter/interpreter';

/** The work of every kind of step. Chains, loops and children keep state of their own beside the context's log. */
const workOf: Work = (it, place, record, ctx) => {
  const { step } = place;
  switch (step.kind) {
    case 'agent':
    case 'review':
      return performAgent(it, { ...place, step }, record, ctx);
    case 'command':
      return performCommand(it, place, record, ctx);
    case 'stages':
      return performStages(it, place, record, ctx);
    case 'approval':
      return performApproval(it, { ...place, step }, record, ctx);
    case 'input':
      return performInput(it, { ...place, step }, ctx);
    case 'notify':
      return performNotify(it, { ...place, step }, record, ctx);
    case 'wait':
      return performWait(it, { ...place, step }, record, ctx);
    case 'parallel':
      return performParallel(it, { ...place, step }, record, ctx);
    case 'group':
      return performGroup(it, { ...place, step }, ctx);
    case 'switch':
      return performSwitch(it, { ...place, step }, ctx);
    case 'for_each':
      return performForEach(it, { ...place, step }, record, ctx);
    case 'repeat':
      return performRepeat(it, { ...place, step }, record, ctx);
    case 'coordinate':
      return performCoordinate(it, { ...place, step }, ctx);
    case 'pipeline':
      return performPipeline(it, { ...place, step }, record, ctx);
    case 'merge':
      return performMerge(it, { ...place, step }, record, ctx);
    case 'caid':
      return performCaid(it, { ...place, step }, record, ctx);
    case 'board':
      return performBoard(it, { ...place, step }, ctx);
    case 'consensus':
      return performConsensus(it, { ...place, step }, record, ctx);
    case 'post_mortem':
      return performPostMortem(it, { ...place, step }, record, ctx);
    case 'tracks':
      return performTracks(it, { ...place, step }, record, ctx);
    case 'escalate':
      return performEscalate(it, { ...place, step }, record, ctx);
    case 'consult':
      return performConsult(it, { ...place, step }, record, ctx);
    case 'swarm':
      return performSwarm(it, { ...place, step }, record, ctx);
    case 'increments':
      return performIncrements(it, { ...place, step }, record, ctx);
    case 'task':
      return performTask(it, { ...place, step }, record, ctx);
    case 'brief':
      return performBrief(it, { ...place, step }, ctx);
    default:
      return unreachable(step);
  }
};

export const KIND_CODE: KindCode = {
  work: workOf,
  afterVerdict: afterReview,
  isAnswered: (step, record) => isApproval(step) && isDecided(record),
  decide: (it, place, ask) => {
    const { container } = place.frame;
    if (container?.step.kind === 'board') return decideOnBoard(it, { ...container, step: container.step }, place, ask);
    return { said: 'nobody here decides that', refused: true };
  },
  exchanged: (it, place, exchanges) => {
    const { container } = place.frame;
    return container?.step.kind === 'board' ? takeExchanges(it, { ...container, step: container.step }, place, exchanges) : [];
  },
  command: commandBoard,
  boards: lookUpBoards,
  asked: noteAsked,
};
