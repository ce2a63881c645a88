import type { SearchAttributeName } from '../../plan/contract';
import type { Publication } from '../run-context';
import { detailsOf } from './details';
import { openGates } from './gates';
import type { Run } from './run';
import { runMemo, runState } from './views';

/** Details are rendered anew at most this often over a run's steps, so that a long run does not spend its time on them. */
const RENDERINGS = 50;

/**
 * Tells people what has changed: current details in the UI, memo and search attributes for lists and the inbox. Memo and
 * attributes cost an event in history each, so they are written only when what lists show has changed.
 */
export function createPublisher(run: Run): (what?: 'gates') => void {
  const every = Math.max(1, Math.floor(run.plan.block.steps.length / RENDERINGS));
  let changes = 0;
  let lastMemo = JSON.stringify({ state: 'running', gates: 0 });
  let listed: Record<string, string> = {};

  function attributes(): Partial<Record<SearchAttributeName, string>> {
    const state = runState(run);
    const gates = openGates(run);
    const all: Record<SearchAttributeName, string | undefined> = {
      ThermidorPipeline: run.ctx.info.searchAttributes.includes('ThermidorPipeline') ? undefined : run.plan.name,
      ThermidorOwner: run.ctx.info.searchAttributes.includes('ThermidorOwner') ? undefined : run.plan.owner,
      ThermidorState: state === 'running' && listed['ThermidorState'] === undefined ? undefined : state,
      ThermidorWaitingFor: gates[0]?.gate.approvers?.join(',') ?? (gates.length > 0 ? 'human' : listed['ThermidorWaitingFor'] && ''),
    };
    const fresh: Partial<Record<SearchAttributeName, string>> = {};
    for (const name of run.opened.searchAttributes) {
      const value = all[name];
      if (value !== undefined && listed[name] !== value) fresh[name] = value;
    }
    return fresh;
  }

  return (what) => {
    changes += 1;
    const publication: Publication = {};
    if (what === 'gates') {
      const memo = runMemo(run);
      const text = JSON.stringify({ state: memo.state, gates: memo.gates.length === 0 ? 0 : memo.gates });
      const final = memo.state === 'completed' && lastMemo === JSON.stringify({ state: 'running', gates: 0 });
      if (text !== lastMemo && !final) {
        publication.memo = memo;
        lastMemo = text;
      }
      const fresh = attributes();
      if (Object.keys(fresh).length > 0) {
        publication.searchAttributes = fresh;
        listed = { ...listed, ...fresh };
      }
    }
    if (what === 'gates' || changes % every === 0) publication.details = detailsOf(run);
    if (Object.keys(publication).length > 0) run.ctx.publish(publication);
  };
}
