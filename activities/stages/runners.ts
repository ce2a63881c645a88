import type { GateForm } from '../../plan/gate';
import type { StageName } from '../../plan/stage';
import { approve } from './approve';
import { ask } from './ask';
import { dedupe } from './dedupe';
import { exec } from './exec';
import { groupBy } from './group-by';
import { head } from './head';
import type { Item } from './item';
import { commandsList, workflowsList } from './lists';
import { llmInvoke } from './llm-invoke';
import { map } from './map';
import { openclawInvoke } from './openclaw-invoke';
import { pick } from './pick';
import { sort } from './sort';
import type { StageCall } from './stage-call';
import type { StagePorts } from './stage-ports';
import { diffLast, stateGet, stateSet } from './state';
import { table } from './table';
import { template } from './template';
import { where } from './where';

/** How a stage is run. */
export type Runner =
  | { kind: 'pure'; run: (call: StageCall, items: readonly Item[]) => Item[] }
  /** Turns the items into text; none continue. */
  | { kind: 'render'; run: (items: readonly Item[]) => string }
  /** Halts the pipe with a question. */
  | { kind: 'gate'; gate: 'approval' | 'input'; run: (call: StageCall, items: readonly Item[]) => GateForm }
  /** Looks outside and changes nothing there, so it may run again. */
  | { kind: 'look'; run: Outside }
  /** Changes something, or reads what another stage may change: its result is kept before the next stage begins. */
  | { kind: 'effect'; run: Outside };
type Outside = (call: StageCall, items: readonly Item[], ports: StagePorts) => Promise<Item[]>;

export const RUNNERS: Readonly<Record<StageName, Runner>> = {
  exec: { kind: 'effect', run: exec },
  json: { kind: 'render', run: (items) => `${JSON.stringify(items, null, 2)}\n` },
  table: { kind: 'render', run: table },
  pick: { kind: 'pure', run: pick },
  where: { kind: 'pure', run: where },
  head: { kind: 'pure', run: head },
  map: { kind: 'pure', run: map },
  sort: { kind: 'pure', run: sort },
  dedupe: { kind: 'pure', run: dedupe },
  groupBy: { kind: 'pure', run: groupBy },
  template: { kind: 'look', run: template },
  approve: { kind: 'gate', gate: 'approval', run: approve },
  ask: { kind: 'gate', gate: 'input', run: ask },
  'diff.last': { kind: 'effect', run: diffLast },
  'state.get': { kind: 'effect', run: stateGet },
  'state.set': { kind: 'effect', run: stateSet },
  'llm.invoke': { kind: 'effect', run: llmInvoke },
  'openclaw.invoke': { kind: 'effect', run: openclawInvoke },
  'commands.list': { kind: 'pure', run: commandsList },
  'workflows.list': { kind: 'look', run: workflowsList },
};
