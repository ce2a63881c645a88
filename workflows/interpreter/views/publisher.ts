import { defined } from '../../../plan/defined';
import { RUN_MEMO_KEYS, type RunMemo } from '../../../plan/run/run-memo';
import type { SearchAttributeName } from '../../../plan/run/search-attributes';
import type { Publication } from '../../run-context';
import { gateViews } from '../gates/gate-view';
import type { Run } from '../run';
import { runStateView } from '../state/run-state';
import { detailsOf } from './details';
import { runMemo } from './views';

/**
 * Shows changes to people: current details in the UI, memo and search attributes for lists and the inbox.
 *
 * Invariant: memo and attributes cost an event in history each, so they are written only when the listed facts have changed. A run that was
 * never anything but running, and then completed, needs no memo: its workflow says as much. What others wrote there before it began is
 * replaced at once.
 */
export function createPublisher(run: Run): (what?: 'gates') => void {
  let shown = false;
  let remarked = claimed(run) ? '' : JSON.stringify(UNREMARKABLE);
  const attributes = new Map<SearchAttributeName, string>();

  function freshMemo(memo: RunMemo): RunMemo | undefined {
    const now = JSON.stringify(remarkable(memo));
    const uneventful = memo.state === 'completed' && remarked === JSON.stringify(UNREMARKABLE);
    if (now === remarked || uneventful) return undefined;
    remarked = now;
    return memo;
  }

  function freshAttributes(current: RunMemo): Publication['searchAttributes'] {
    const fresh: Publication['searchAttributes'] = {};
    for (const [name, value] of attributesOf(run, current)) {
      const known = attributes.get(name) ?? (value === '' ? '' : undefined);
      if (!run.opened.searchAttributes.includes(name) || known === value) continue;
      fresh[name] = value;
      attributes.set(name, value);
    }
    return Object.keys(fresh).length > 0 ? fresh : undefined;
  }

  return (what) => {
    if (!shown) run.ctx.publish({ details: () => detailsOf(run) });
    shown = true;
    if (what !== 'gates') return;
    const current = runMemo(run);
    const memo = freshMemo(current);
    const searchAttributes = freshAttributes(current);
    if (memo || searchAttributes) run.ctx.publish(defined({ memo, searchAttributes }));
  };
}

const UNREMARKABLE: Pick<RunMemo, 'state' | 'gates'> = { state: 'running', gates: [] };

/**
 * Whether the starter of the run has written something into its memo that lists would believe. A parent names itself there. An execution
 * that begins anew after the first has that memo, too.
 */
function claimed(run: Run): boolean {
  const { info } = run.ctx;
  const { parent } = run;
  return RUN_MEMO_KEYS.some((key) => info.memo?.includes(key) && !(key === 'parent' && parent));
}

function remarkable({ state, gates, letters }: RunMemo): Pick<RunMemo, 'state' | 'gates' | 'letters'> {
  return { state, gates, ...defined({ letters }) };
}

/** The current attributes. Those that the starter of the run has set already are left out. */
function attributesOf(run: Run, { letters }: RunMemo): [SearchAttributeName, string][] {
  const [gate] = gateViews(run);
  const set = run.ctx.info.searchAttributes;
  const lasting: [SearchAttributeName, string][] = [
    ['ThermidorPipeline', run.plan.name],
    ['ThermidorOwner', run.plan.owner ?? ''],
  ];
  return [
    ...lasting.filter(([name]) => !set.includes(name)),
    ['ThermidorState', runStateView(run)],
    ['ThermidorWaitingFor', gate?.approvers?.join(',') ?? (gate || letters ? 'human' : '')],
  ];
}
