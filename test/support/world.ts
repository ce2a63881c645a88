import { type Address, parseAddress, stepIdOf } from '../../plan/address';
import type { ArtifactRef } from '../../plan/artifact';
import type { Activities, GateInput, OpenedRun, RunInput, StepInput, StepOutput } from '../../plan/contract';
import type { JournalEntry, JournalView } from '../../plan/journal';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import type { RunView, StepView } from '../../plan/status';
import type { Block, Step } from '../../plan/step';
import type { VerdictRecord } from '../../plan/verdict';
import { type MemoryCall, type MemoryRun, runInMemory } from '../../workflows/memory/run-context';

/** A plan around some steps, as the compiler would freeze it. */
export function planOf(steps: Step[], more: Partial<Plan> = {}, order: Block['order'] = 'sequence'): Plan {
  return {
    irVersion: 1,
    name: 'test_pipeline',
    source: '0'.repeat(64),
    trigger: { kind: 'manual' },
    owner: 'lead',
    agents: { lead: { definition: 'd', reportsTo: 'boss' }, boss: { definition: 'd', reportsTo: 'human' }, worker: { definition: 'd' } },
    block: { order, steps },
    ...more,
  };
}

export function artifact(name: string): ArtifactRef {
  return { sha256: name.padEnd(64, '0'), sizeBytes: 1, mediaType: 'application/json', name };
}

export function verdict(word: VerdictRecord['verdict'], more: Partial<VerdictRecord> = {}): VerdictRecord {
  return { verdict: word, findings: {}, ...more };
}

/** What the world saw of one activity. */
export interface Seen {
  name: string;
  step: string;
  address: Address | undefined;
  input: StepInput;
  call: MemoryCall;
}

export type StepBehaviour = (seen: Seen) => StepOutput | Promise<StepOutput>;

export interface WorldOptions {
  steps?: Record<string, StepBehaviour>;
  /** Fails to deliver to channels when it throws. */
  notify?: (channel: string, message: string, call: MemoryCall) => void | Promise<void>;
  args?: Record<string, Json>;
  input?: RunInput;
  activitiesPerExecution?: number;
  /** Holds up the hand-over to the next execution. */
  whileSaving?: () => Promise<void>;
}

export interface World extends MemoryRun {
  readonly seen: Seen[];
  readonly notices: { channel: string; message: string }[];
  status(): RunView;
  step(id: string): StepView;
  journal(): JournalEntry[];
  /** Addresses of the steps' activities in the order they started. */
  order(): string[];
}

/** Runs a plan in memory; every step answers with an artifact named for its address unless `steps` says otherwise. */
export function runPlan(plan: Plan, options: WorldOptions = {}): World {
  const seen: Seen[] = [];
  const notices: World['notices'] = [];
  const pages: JournalEntry[][] = [];
  const states = new Map<string, Json>();
  const opened: OpenedRun = { plan, planRef: artifact('plan'), args: options.args ?? {}, searchAttributes: [] };

  const work = async (call: MemoryCall): Promise<StepOutput> => {
    const address = parseAddress(call.options.address ?? '');
    const step = address ? stepIdOf(address) : '';
    const record: Seen = { name: call.name, step, address, input: call.input as StepInput, call };
    seen.push(record);
    const behaviour = options.steps?.[step];
    return behaviour ? behaviour(record) : { artifact: artifact(`${step}-${address?.round}-${address?.try}`) };
  };

  const activities: { [N in keyof Activities]: (call: MemoryCall & { input: Parameters<Activities[N]>[0] }) => ReturnType<Activities[N]> } =
    {
      openRun: async () => opened,
      agent: work,
      command: work,
      gate: async ({ input }: { input: GateInput }) => ({
        question: input.escalation ? `Decide: ${input.escalation.reason}` : 'Approve?',
        shownSha256: 'f'.repeat(64),
        document: artifact('gate'),
      }),
      notify: async (call) => {
        await options.notify?.(call.input.channel, call.input.message ?? '', call);
        notices.push({ channel: call.input.channel, message: call.input.message ?? '' });
        return { message: call.input.message ?? '', deliveredTo: ['test'] };
      },
      journal: async ({ input }) => {
        pages.push(input.entries.map((entry) => structuredClone(entry)));
        return artifact(`page-${pages.length}`);
      },
      saveState: async ({ input }) => {
        const state = JSON.parse(JSON.stringify(input.state)) as Json;
        await options.whileSaving?.();
        const name = `state-${states.size}`;
        states.set(artifact(name).sha256, state);
        return artifact(name);
      },
      loadState: async ({ input }) => structuredClone(states.get(input.ref.sha256) ?? null),
    };

  const run = runInMemory({
    ...(options.input ? { input: options.input } : {}),
    ...(options.activitiesPerExecution === undefined ? {} : { activitiesPerExecution: options.activitiesPerExecution }),
    perform: (call) => activities[call.name](call),
  });
  return {
    ...run,
    get executions() {
      return run.executions;
    },
    seen,
    notices,
    status: () => run.query('status') as RunView,
    step: (id) => (run.query('status') as RunView).steps.find((step) => step.id === id) as StepView,
    journal: () => [...pages.flat(), ...(run.query('journal') as JournalView).entries],
    order: () => seen.map(({ call }) => call.options.address ?? ''),
  };
}
