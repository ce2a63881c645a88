import type { PersonAction } from '../../compiler/test-file/test-file';
import type { GateView } from '../../plan/people/gate';
import type { RunView } from '../../plan/run/status';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { isJsonObject, type Json } from '../../plan/text/json';
import type { MemoryRun } from '../../workflows/memory/memory-run';
import { proofs } from './proofs';

/**
 * The people of a test. Actions at a fixed moment are set on the clock before the run begins, so at one moment people come first; actions
 * that follow a gate or a held step are set when that occurs.
 */
export interface People {
  /** Looks for gates and held steps that are new. */
  look(): void;
  /** Actions that were never done, because their gate or held step never came. */
  idle(): PersonAction[];
}

/** These say which gate or step they are for. */
const ADDRESSED: readonly string[] = ['approve', 'reject', 'respond', 'retry', 'skip', 'delegate'];

export function peopleOf(
  actions: readonly PersonAction[],
  run: Pick<MemoryRun, 'clock' | 'signal' | 'query' | 'cancel' | 'published'>,
): People {
  const met = new Set<string>();
  const set = new Set<PersonAction>();
  const prove = proofs();
  const waitForGates = actions.some(({ when }) => when.kind === 'gate');
  const waitForHeld = actions.some(({ when }) => when.kind === 'held');

  function plan(action: PersonAction, afterMs: number, step?: string): void {
    set.add(action);
    run.clock.after(afterMs, () => act(action, step));
  }

  function act({ does }: PersonAction, step: string | undefined): void {
    if (does.kind === 'cancel') {
      run.cancel();
      return;
    }
    const payload = step === undefined ? does.payload : addressed(does.name, does.payload, step);
    // A proof is made when the person answers: one sealed before a gate opened would be refused there.
    run.signal(does.name, does.proven && isJsonObject(payload) ? { ...payload, proof: { ...prove(run.clock.now()) } } : payload);
  }

  for (const action of actions) if (action.when.kind === 'at') plan(action, action.when.ms);

  return {
    look() {
      for (const gate of waitForGates ? gatesOf(run) : []) {
        const key = `${gate.step} ${gate.kind} ${gate.openedAt}`;
        if (met.has(key)) continue;
        met.add(key);
        for (const { action, afterMs } of atGate(gate.step, actions)) plan(action, afterMs, gate.step);
      }
      for (const step of waitForHeld ? heldOf(run) : []) {
        const key = `held ${step.address}`;
        if (met.has(key)) continue;
        met.add(key);
        for (const action of actions) {
          if (action.when.kind === 'held' && names(action.when.step, step.name)) plan(action, action.when.afterMs, step.name);
        }
      }
    },
    idle: () => actions.filter((action) => !set.has(action)),
  };
}

/** What people do at a gate, in order: those for this very round, else those for any. */
function atGate(gate: string, actions: readonly PersonAction[]): { action: PersonAction; afterMs: number }[] {
  const at = actions.flatMap((action) =>
    action.when.kind === 'gate' ? [{ action, gate: action.when.gate, afterMs: action.when.afterMs }] : [],
  );
  const exact = at.filter((one) => one.gate.includes('#') && names(one.gate, gate));
  return exact.length > 0 ? exact : at.filter((one) => !one.gate.includes('#') && names(one.gate, gate));
}

/** `ask`, `loop[2]/ask` and `loop[2]/ask#3` all name `loop[2]/ask#3`. */
export function names(wanted: string, address: string): boolean {
  const [path = '', round] = address.split('#');
  const [wantedPath = '', wantedRound] = wanted.split('#');
  if (wantedRound !== undefined && wantedRound !== (round ?? '1')) return false;
  if (wantedPath === path || path.endsWith(`/${wantedPath}`)) return true;
  const parsed = parseAddress(path);
  return parsed !== undefined && !/[/[]/.test(wantedPath) && stepIdOf(parsed) === wantedPath;
}

function addressed(name: string, payload: Json, step: string): Json {
  return ADDRESSED.includes(name) && isJsonObject(payload) ? { step, ...payload } : payload;
}

function gatesOf(run: Pick<MemoryRun, 'query'>): GateView[] {
  return run.query('gates') as GateView[];
}

function heldOf({ query, published }: Pick<MemoryRun, 'query' | 'published'>): { name: string; address: string }[] {
  if (published.memo?.state !== 'held' && published.memo?.state !== 'paused') return [];
  const { steps } = query('status') as RunView;
  return steps.flatMap(({ state, address }) =>
    state === 'held' ? [{ address, name: address.replace(/~\d+$/, '').replace(/#1$/, '') }] : [],
  );
}
