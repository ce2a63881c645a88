import { unreachable } from '../../../plan/unreachable';
import type { WorkEnd } from '../context/memory';
import type { StepContext } from '../context/step-context';
import type { Interpreter } from '../interpreter';
import type { Place } from '../place';
import type { StepRecord } from '../state/record';
import { performAgent } from './agent';
import { performApproval } from './approval';
import { performCommand } from './command';
import { performForEach } from './for-each';
import { performGroup } from './group';
import { performInput } from './input';
import { performNotify } from './notify';
import { performParallel } from './parallel';
import { performPipeline } from './pipeline';
import { performStages } from './stages';
import { performWait } from './wait';

/** Does a step's work. Undefined: it is done; fails with what it failed of. */
export type Work = (it: Interpreter, place: Place, record: StepRecord, ctx: StepContext) => Promise<WorkEnd | undefined>;

/** The work of every kind of step. Chains, loops and children keep state of their own beside the context's log. */
export const workOf: Work = (it, place, record, ctx) => {
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
      return performNotify(it, { ...place, step }, ctx);
    case 'wait':
      return performWait(it, { ...place, step }, record, ctx);
    case 'parallel':
      return performParallel(it, { ...place, step }, record);
    case 'group':
      return performGroup(it, { ...place, step });
    case 'for_each':
      return performForEach(it, { ...place, step }, record);
    case 'pipeline':
      return performPipeline(it, { ...place, step }, record, ctx);
    default:
      return unreachable(step);
  }
};
