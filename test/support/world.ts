import type { ActivityCall } from '../../activities/activity-call';
import { announceResults, readSpawned } from '../../activities/agent/children/child-records';
import { postLines, readExchanged } from '../../activities/agent/member-messages';
import { readAskedTasks, settleAskedTasks } from '../../activities/board/asked-tasks';
import { goesOnPast } from '../../activities/commands/commands';
import type { QueueAsker } from '../../activities/queue-port';
import { recordOrder, takeOrder } from '../../activities/run/child-order';
import { readMessages, sendMessages } from '../../activities/run/run-messages';
import type { Toolbox } from '../../activities/toolbox';
import type { AskTaskInput, TaskAnswer, TaskAnswerInput, WithdrawTaskInput } from '../../plan/board/asked-task';
import type { OpenedBoard } from '../../plan/board/board-activities';
import { workText } from '../../plan/board/work-text';
import { defined } from '../../plan/defined';
import { valueAtPath } from '../../plan/expressions/evaluate';
import type { KeepLessonsInput, KeptFile } from '../../plan/memory/post-mortem-activities';
import { isNotable, minedExecution, mineEntry, openMining } from '../../plan/patterns/execution';
import type { MinedRun } from '../../plan/patterns/post-mortem';
import { applyRule } from '../../plan/patterns/rule';
import type { GateInput, ProofCheck, RenderedGate, SealedDecision } from '../../plan/people/gate-activities';
import { claimedStarter, type Starter } from '../../plan/people/starter';
import type { Plan } from '../../plan/plan';
import type {
  CandidateOutcome,
  CandidateOutcomeInput,
  SubmitCandidateInput,
  SubmittedCandidate,
  WithdrawCandidateInput,
} from '../../plan/queue/landing';
import type { AskedBy } from '../../plan/queue/ticket';
import type { ArtifactRef, ControlKind, ControlRef } from '../../plan/run/artifact';
import { childId } from '../../plan/run/child';
import type { Activities } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry, JournalView } from '../../plan/run/journal';
import { type OpenedRun, RUN_VERSION } from '../../plan/run/run-activities';
import type { RunEnd } from '../../plan/run/run-end';
import type { RunInput } from '../../plan/run/run-input';
import type { RunView, StepView } from '../../plan/run/status';
import type { ClosedWorktree, WorktreeLease } from '../../plan/run/worktree';
import type { ClaimWorktreeInput, CloseWorktreeInput } from '../../plan/run/worktree-activities';
import { type Address, parseAddress, stepIdOf } from '../../plan/steps/address';
import type { CommandsOutput, Composition, ItemNames } from '../../plan/steps/container-activities';
import { controlPlan } from '../../plan/steps/control';
import type { Block, Step } from '../../plan/steps/step';
import { type Begins, pathKey, type StepInput, type StepOutput } from '../../plan/steps/step-activity';
import { type EmitItemOutput, type SentItem, takenToNote } from '../../plan/steps/stream';
import type { VerdictRecord } from '../../plan/steps/verdict';
import { stepsOfPlan } from '../../plan/steps/walk';
import { canonicalJson, field, type Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { MemoryLedger } from '../../records/memory/memory-store';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import type { MemoryCall, MemoryOptions, MemoryRun } from '../../workflows/memory/memory-run';
import { runInMemory } from '../../workflows/memory/run-context';

/** A plan around some steps, as the compiler would freeze it. */
export function planOf(steps: Step[], more: Partial<Plan> = {}, order: Block['order'] = 'sequence'): Plan {
  return {
    irVersion: 2,
    name: 'test_pipeline',
    source: '0'.repeat(64),
    trigger: { kind: 'manual' },
    owner: 'lead',
    agents: { lead: { definition: 'd', reportsTo: 'boss' }, boss: { definition: 'd', reportsTo: 'human' }, worker: { definition: 'd' } },
    block: { order, steps },
    ...more,
  };
}

const COMMIT = 'c'.repeat(40);
const MERGED = { kind: 'merged', result: 'd'.repeat(40) } as const;
const NOWHERE: Address = { path: [], round: 1, try: 1 };

export function artifact(name: string): ArtifactRef {
  return { sha256: name.padEnd(64, '0'), sizeBytes: 1, mediaType: 'application/json', name };
}

export function controlRef<K extends ControlKind>(kind: K, name: string): ControlRef<K> {
  const sha256 = Buffer.from(name).toString('hex').padEnd(64, '0');
  return { kind, sha256, sizeBytes: 1, mediaType: 'application/json', name };
}

export function verdict(word: VerdictRecord['verdict'], more: Partial<VerdictRecord> = {}): VerdictRecord {
  return { verdict: word, findings: {}, ...more };
}

/** A call of one activity, as the world saw it. */
export interface Seen {
  name: string;
  step: string;
  address: Address | undefined;
  input: StepInput;
  call: MemoryCall;
}

export type StepBehaviour = (seen: Seen) => StepOutput | Promise<StepOutput>;

export interface WorldOptions {
  /** Counts steps that have ended. */
  stepEnded?: NonNullable<MemoryOptions['stepEnded']>;
  /** The version of the worker that opened the run. @default this one */
  version?: number;
  steps?: Record<string, StepBehaviour>;
  /** Delivers to channels; the delivery fails if it throws. An answer with `begun` is passed on. */
  notify?: (channel: string, message: string, call: MemoryCall) => unknown;
  args?: Record<string, Json>;
  /** Whether the seal of a decision is valid. @default it is */
  checkProof?: (input: SealedDecision) => ProofCheck | Promise<ProofCheck>;
  /** The names of the items of a list for people. */
  names?: ItemNames;
  /** The list of each `for_each`, by its id. */
  lists?: Record<string, Json[]>;
  /** The items that steps have emitted, by their ids. A test adds to them, and wakes the run. */
  emitted?: Record<string, Json[]>;
  /** Gets the run's notes about how many items no longer wait. */
  onTaken?: (taken: number, isUnbounded: boolean) => void;
  /** Delays items from outside. */
  whileEmitting?: () => Promise<void>;
  /** Delays long texts that are sent to a board. */
  whileKeeping?: () => Promise<void>;
  /** Gets the number of seals or answers to input gates that one activity checks, and delays the activity. */
  whileChecking?: (many: number) => Promise<void>;
  /** The number of these checks for which one activity has time. @default all */
  checksAtOnce?: number;
  /** Each delays activities, like a store that does not answer: rules, and searches for items. */
  whileDeciding?: () => Promise<void>;
  whileLooking?: () => Promise<void>;
  /** Plans of child pipelines, by name. */
  children?: Record<string, Plan>;
  /** The ledger's record of cancelled work, by its name. Throws if the ledger does not answer. @default none */
  recorded?: (call: string) => StepOutput | undefined | Promise<StepOutput | undefined>;
  /** When work without a record was begun, by its call. */
  begun?: Record<string, number[]>;
  /** The number of its steps for which a chain has time. @default all */
  inChain?: (steps: number) => number;
  /** Makes worktrees, or moves them. @default on one host */
  claim?: (call: MemoryCall & { input: ClaimWorktreeInput }) => WorktreeLease | Promise<WorktreeLease>;
  close?: (call: MemoryCall & { input: CloseWorktreeInput }) => void | Promise<void>;
  /** Restores a worktree to a commit. Throws if its host is gone. */
  restore?: (to: string) => void | Promise<void>;
  /** The host's answer about a worktree that it closes. */
  closed?: ClosedWorktree;
  /** The first answer of a merge queue about a candidate. @default that it is merged */
  submit?: (call: MemoryCall & { input: SubmitCandidateInput }) => SubmittedCandidate | Promise<SubmittedCandidate>;
  outcome?: (call: MemoryCall & { input: CandidateOutcomeInput }) => CandidateOutcome | Promise<CandidateOutcome>;
  withdraw?: (call: MemoryCall & { input: WithdrawCandidateInput }) => void | Promise<void>;
  /** What a team says to a task. @default that it is done */
  askTask?: (call: MemoryCall & { input: AskTaskInput }) => TaskAnswer | Promise<TaskAnswer>;
  taskAnswer?: (call: MemoryCall & { input: TaskAnswerInput }) => TaskAnswer | Promise<TaskAnswer>;
  withdrawTask?: (call: MemoryCall & { input: WithdrawTaskInput }) => void | Promise<void>;
  whileReadingTasks?: () => void | Promise<void>;
  /** A team wakes a run that has given it a task. */
  wakesAsker?: (asked: AskedBy) => void;
  /** The problems of an answer to an input gate. */
  problems?: (response: Json) => string[] | Promise<string[]>;
  /** The gate activity's answer, without its question. */
  gate?: (input: GateInput) => Partial<RenderedGate>;
  /** The tasks and members of a board. @default none */
  openBoard?: (input: StepInput, address: string) => OpenedBoard;
  /** Makes the output of a container or an input. @default an artifact named after the address */
  compose?: (from: Composition, address: string) => StepOutput | Promise<StepOutput>;
  /** The document under a digest, for rules. @default the decisions of rules */
  documents?: (sha256: string) => Json | undefined;
  /** Keeps the files of a post-mortem. @default it names none */
  keep?: (call: MemoryCall & { input: KeepLessonsInput }) => KeptFile[] | Promise<KeptFile[]>;
  /** The journal's entries of a run, in addition to what was counted. */
  mined?: Partial<MinedRun>;
  /**
   * Names the decision of a rule. Equal decisions need equal names, because the store keeps one of them. @default the address of the
   * activity
   */
  ruledAs?: (address: string) => string;
  /** The subject of a pattern. */
  matter?: Json;
  /** What is granted for ever. */
  lasting?: readonly string[];
  input?: RunInput;
  /** Who started the run. @default the name in the input, as a claim */
  startedBy?: Starter;
  /** The values in the store with which a rerun begins, by the names of their artifacts. */
  stored?: Record<string, Json>;
  /** The work of the kinds of steps. @default the interpreter's */
  work?: MemoryOptions['work'];
  /** What calls of tools ask. @default the interpreter's */
  decide?: MemoryOptions['decide'];
  activitiesPerExecution?: number;
  historyIsFull?: MemoryOptions['historyIsFull'];
  workflowId?: string;
  /** The search attributes that the server knows. @default none */
  searchAttributes?: OpenedRun['searchAttributes'];
  /** Delays the hand-over to the next execution. */
  whileSaving?: () => Promise<void>;
  /** Delays the start of child pipelines. */
  whileOpeningChild?: () => Promise<void>;
}

export interface World extends MemoryRun {
  readonly ledger: MemoryLedger;
  /** The names of the records that were read from the ledger after work was cancelled. */
  readonly lookedUp: readonly string[];
  readonly seen: Seen[];
  /** Every activity except those that open a run and keep its state and journal. */
  readonly calls: MemoryCall[];
  readonly notices: { channel: string; message: string; end?: RunEnd }[];
  /** The inputs of the gates' activities. */
  readonly gateInputs: GateInput[];
  /** The outputs that were composed, by the address of the activity. */
  readonly composed: Record<string, Composition>;
  /** The decisions of rules, by the address of the activity. */
  readonly ruled: Record<string, Json>;
  /** A value in the store, by its digest. */
  resultOf(sha256: string): Json | undefined;
  /** The sizes in characters of the states that executions passed to the next. */
  readonly stateSizes: number[];
  /** The states themselves. */
  readonly states: { records: Record<string, Json> }[];
  status(): RunView;
  step(id: string): StepView;
  /** The journal. `of` names the run if children have written pages as well. */
  journal(of?: string): JournalEntry[];
  /** The pages of journals in the store, in the order in which they were written. The first is named `page-1`. */
  readonly pages: readonly (readonly JournalEntry[])[];
  /** The addresses of the steps' activities, in the order in which they started. */
  order(): string[];
  /** Lets time pass until nothing waits for it any more, and expects that the run has completed. */
  completes(): Promise<void>;
}

const keyOf = ({ workflowId, firstRunId }: MemoryCall['info']): RunKey => ({ workflowId, run: firstRunId });

const stepsById = new WeakMap<Plan, ReadonlyMap<string, Step>>();

function stepAt(plan: Plan, address: string): Step | undefined {
  const steps = stepsById.get(plan) ?? new Map([...stepsOfPlan(plan)].map((step) => [step.id, step]));
  stepsById.set(plan, steps);
  return steps.get(stepIdOf(parseAddress(address) ?? NOWHERE));
}

function emitInto(options: WorldOptions, { step, item }: Pick<SentItem, 'step' | 'item'>): EmitItemOutput {
  const list = options.emitted?.[step];
  if (!list) return { problem: 'the test has no such stream' };
  if (list.some((one) => field(one, 'id') === field(item, 'id'))) return { again: true };
  list.push(item);
  return {};
}

function pipelineOf(plan: Plan, step: string): string {
  const found = stepAt(plan, step);
  return found?.kind === 'pipeline' ? found.pipeline : '';
}

function starterIn({ startedBy, input }: WorldOptions): Pick<OpenedRun, 'startedBy'> {
  if (startedBy) return { startedBy };
  return input?.startedBy === undefined ? {} : { startedBy: claimedStarter(input.startedBy) };
}

/** Runs a plan in memory. Every step answers with an artifact named after its address unless `steps` says otherwise. */
export function runPlan(plan: Plan, options: WorldOptions = {}): World {
  const seen: Seen[] = [];
  const calls: MemoryCall[] = [];
  const notices: World['notices'] = [];
  const gateInputs: GateInput[] = [];
  const pages: JournalEntry[][] = [];
  /** The run that wrote each page: the one that was started, or a child of it. */
  const writers: string[] = [];
  const states = new Map<string, Json>();
  const composed: World['composed'] = {};
  const ruled: World['ruled'] = {};
  const results = new Map<string, Json>();
  const stateSizes: number[] = [];
  const handedOver: World['states'] = [];
  const lookedUp: string[] = [];
  const ledger = new MemoryLedger();
  const openedAs = (which: Plan, startedAt: string, carried?: RunInput['carried']): OpenedRun => ({
    version: options.version ?? RUN_VERSION,
    plan: controlPlan(which),
    planRef: controlRef('plan', 'plan'),
    args: options.args ?? {},
    startedAt,
    searchAttributes: options.searchAttributes ?? [],
    ...defined({ carried }),
    ...starterIn(options),
  });

  const work = async (call: MemoryCall): Promise<StepOutput> => {
    // The activities of a step, such as its critic, have the step's address with a suffix.
    const address = parseAddress((call.options.address ?? '').replace(/(~\d+)\/.*$/, '$1'));
    const step = address ? stepIdOf(address) : '';
    const record: Seen = { name: call.name, step, address, input: call.input as StepInput, call };
    seen.push(record);
    const behaviour = options.steps?.[step];
    return behaviour ? behaviour(record) : { artifact: artifact(`${step}-${address?.round}-${address?.try}`) };
  };

  // Whatever its id, the run is the team `research`.
  const asTeam = (info: MemoryCall['info']) => ({ key: { ...keyOf(info), workflowId: 'team-research' } }) as ActivityCall;
  const activities: { [N in keyof Activities]: (call: MemoryCall & { input: Parameters<Activities[N]>[0] }) => ReturnType<Activities[N]> } =
    {
      openRun: async ({ info, input: { workflowType, input, startedAt = '' } }) => {
        const key = keyOf(info);
        const claim = input.parent as Parameters<typeof takeOrder>[2] | undefined;
        const order = claim && (await takeOrder({ ledger }, { key, workflowType }, claim));
        const record = readRunRecord(await ledger.putIfAbsent(key, RUN_RECORD, asJson({ ...order, startedAt })));
        const { parent, budget } = record;
        return {
          ...openedAs(options.children?.[workflowType] ?? plan, record.startedAt, order?.carried ?? input.carried),
          ...(typeof parent === 'object' ? { parent } : {}),
          ...(budget ? { budget } : {}),
        };
      },
      agent: work,
      command: work,
      commands: async (call) => {
        const done: CommandsOutput['done'] = [];
        const planned = options.children?.[call.info.workflowType] ?? plan;
        const { steps } = call.input;
        for (const { address, input } of steps.slice(0, options.inChain?.(steps.length))) {
          const startedAtMs = call.clock.now();
          const step = stepAt(planned, address);
          const own = { ...call, options: { ...call.options, address } };
          try {
            const { begun, ...end } =
              step && 'message' in step
                ? {
                    output: {},
                    begun: undefined,
                    ...(await activities.notify({ ...own, name: 'notify', input: { ...call.input, channel: step.channel } })),
                  }
                : endOf(await work({ ...own, name: 'command', input: { ...call.input, ...input } }));
            done.push({ ...end, ...defined({ begun }), startedAtMs, endedAtMs: call.clock.now() });
          } catch (error) {
            if (!(error instanceof ThermidorFailure)) throw error;
            if (step && 'message' in step && error.code === 'channel.unavailable') return { done, alone: true };
            const failure = { code: error.code, message: error.message };
            if (!step || !goesOnPast(step, error.code))
              return { done, failure, failed: { startedAtMs, ...defined({ begun: error.work?.begun }) } };
            done.push({ output: {}, failure, startedAtMs, endedAtMs: call.clock.now() });
          }
        }
        return { done };
      },
      stages: async (call) => {
        const output = await work(call);
        return 'kind' in output ? (output as never) : { kind: 'done', output, ...defined({ begun: output.begun }) };
      },
      items: async (call) => {
        const list = options.lists?.[stepIdOf(parseAddress((call.options.address ?? '').replace(/\/items$/, '')) ?? NOWHERE)] ?? [];
        return { list: artifact('list'), count: list.length, ...defined({ names: options.names }) };
      },
      itemValues: async ({ input }) => {
        const [list = []] = Object.values(options.lists ?? {});
        return list
          .slice(input.from, input.to)
          .map((item) => Object.fromEntries(input.paths.map((path) => [pathKey(path), valueAtPath(item, path)])));
      },
      emitted: async ({ input }) => {
        const { stream, after, lines, unbounded = false, close, paths = [] } = input;
        await options.whileLooking?.();
        const said = options.emitted?.[stream.replace(/#.*$/, '').replace(/^.*\//, '')] ?? [];
        const keyed = said.map((item) => ({ item, key: field(item, 'id') ?? item }));
        const isFirst = ({ key }: { key: Json }, at: number) =>
          keyed.findIndex((one) => canonicalJson(one.key) === canonicalJson(key)) === at;
        const firsts = keyed.filter(isFirst);
        const taken = takenToNote(input, firsts.length);
        options.onTaken?.(taken, unbounded);
        const items = firsts.slice(after).map(({ item, key }, i) => ({
          ...{ item: artifact(`item-${after + i}`), key },
          ...(typeof item === 'string' ? { name: item } : {}),
          ...defined({ depends: field(item, 'depends') as Json[] | undefined, files: field(item, 'files') as string[] | undefined }),
          values: Object.fromEntries(paths.map((path) => [pathKey(path), valueAtPath(item, path)])),
        }));
        const again = keyed.flatMap((one, at) => (at >= lines && !isFirst(one, at) ? [{ key: one.key }] : []));
        return { items, again, lines: said.length, taken, ...(close ? { list: artifact('emitted') } : {}) };
      },
      emitItems: async ({ input: { items } }) => {
        await options.whileEmitting?.();
        return items.map((one) => emitInto(options, one));
      },
      compose: async (call) => {
        const address = call.options.address ?? '';
        composed[address] = call.input.from;
        return options.compose?.(call.input.from, address) ?? { artifact: artifact(address) };
      },
      applyRule: async ({ input: { call: asked, documents = {}, matter, grantsOf }, options: { address = '' } }) => {
        await options.whileDeciding?.();
        const found: Record<string, Json> = matter ? { matter: options.matter ?? null } : {};
        for (const [name, { sha256 }] of Object.entries(documents))
          found[name] = options.documents?.(sha256) ?? results.get(sha256) ?? null;
        if (grantsOf !== undefined) found['granted'] = [...(options.lasting ?? [])];
        const { result, values } = applyRule(asked, found);
        const stored = artifact(options.ruledAs?.(address) ?? address);
        ruled[address] = result;
        results.set(stored.sha256, result);
        return { artifact: stored, values };
      },
      openBoard: async (call) => options.openBoard?.(call.input, call.options.address ?? '') ?? { tasks: [], members: [] },
      boardWork: async ({ input }) => {
        const stored = artifact(input.as);
        results.set(stored.sha256, workText(input, { messages: input.messages ?? [] }));
        return { artifact: stored };
      },
      keepTexts: async ({ input: { texts } }) => {
        await options.whileKeeping?.();
        return texts.map(({ as, text }) => {
          const stored = artifact(as);
          results.set(stored.sha256, text);
          return { text: stored };
        });
      },
      mineJournal: async ({ input: { pages: listed, end }, options: { address = '' } }) => {
        const mining = openMining((path) => !path.startsWith('post_mortem'));
        const stored = pages.map((page, i) => [artifact(`page-${i + 1}`).sha256, page] as const);
        for (const { sha256 } of listed)
          for (const entry of stored.find(([known]) => known === sha256)?.[1] ?? []) mineEntry(mining, entry);
        const execution = minedExecution(mining);
        results.set(artifact(address).sha256, asJson({ ...execution, end, partial: [], ...options.mined }));
        const agents = execution.agents.map(({ agent }) => agent);
        return { artifact: artifact(address), notable: isNotable(execution.execution_summary, end.state), agents };
      },
      keepLessons: async (call) => {
        const kept = (await options.keep?.(call)) ?? [];
        return { artifact: artifact(call.options.address ?? ''), kept };
      },
      childInput: async ({ info, input, options: { address = '' } }) => {
        await options.whileOpeningChild?.();
        const step = address.replace(/\/input$/, '');
        const pipeline = pipelineOf(options.children?.[info.workflowType] ?? plan, step);
        const { carried, budgeted } = input;
        const workflowId = childId(info.workflowId, step);
        const order = {
          ...{ step, pipeline, plan: controlRef('plan', 'child'), args: {} },
          ...(carried ? { carried } : {}),
          ...(budgeted ? { budgeted } : {}),
        };
        await recordOrder(ledger, keyOf(info), workflowId, order);
        return { workflowId };
      },
      say: ({ info, input }) => sendMessages({ ledger }, keyOf(info), input),
      hear: ({ info, input }) => readMessages({ ledger }, keyOf(info), input),
      spawned: ({ info, input }) => readSpawned({ ledger }, keyOf(info), input),
      announce: ({ info, input }) => announceResults({ ledger }, keyOf(info), input),
      exchanged: ({ info, input }) => readExchanged({ ledger }, keyOf(info), input),
      post: ({ info, input }) => postLines({ ledger }, keyOf(info), input),
      recorded: async ({ input: { calls: asked } }) => {
        lookedUp.push(...asked.map(({ call }) => call));
        const done: Record<string, StepOutput> = {};
        for (const { call } of asked) {
          const output = await options.recorded?.(call);
          if (output) done[call] = output;
        }
        return { done, looked: asked.length, ...defined({ begun: options.begun }) };
      },
      claimWorktree: async (call) =>
        options.claim?.(call) ?? {
          ...{ slot: call.input.slot, epoch: 1, host: 'host-1', repository: '/repository', refsIn: 'repository' },
          ...{ base: COMMIT, commit: COMMIT, branch: `thermidor/${call.input.slot}`, silentMs: 1000 },
        },
      restoreWorktree: async ({ input: { to, worktree } }) => {
        await options.restore?.(to);
        const { slot = '', epoch = 1 } = worktree ?? {};
        return { worktree: { slot, epoch, commit: to } };
      },
      closeWorktree: async (call) => {
        await options.close?.(call);
        return options.closed;
      },
      submitCandidate: async (call) => await (options.submit?.(call) ?? { queue: 'queue:/repository#main', ticket: 1, outcome: MERGED }),
      candidateOutcome: async (call) => await (options.outcome?.(call) ?? { outcome: MERGED }),
      withdrawCandidate: async (call) => await options.withdraw?.(call),
      askTask: async (call) => await (options.askTask?.(call) ?? { id: 1, end: { kind: 'completed', output: { id: 1 } } }),
      taskAnswer: async (call) => await (options.taskAnswer?.(call) ?? {}),
      withdrawTask: async (call) => await options.withdrawTask?.(call),
      readAskedTasks: async ({ info, input }) => {
        await options.whileReadingTasks?.();
        return await readAskedTasks({ ledger } as unknown as Toolbox, asTeam(info), input);
      },
      settleAskedTasks: async ({ info, input }) => {
        const queueAsker = { wake: async (asked: AskedBy) => void options.wakesAsker?.(asked) } as QueueAsker;
        await settleAskedTasks({ ledger, queueAsker } as unknown as Toolbox, asTeam(info), input);
      },
      checkResponses: async ({ input: { responses } }) => {
        await options.whileChecking?.(responses.length);
        return await Promise.all(
          responses.slice(0, options.checksAtOnce).map(async ({ response }) => ({ problems: (await options.problems?.(response)) ?? [] })),
        );
      },
      checkProofs: async ({ input: { proofs } }) => {
        await options.whileChecking?.(proofs.length);
        return await Promise.all(proofs.map(async (one) => (await options.checkProof?.(one)) ?? {}));
      },
      gate: async ({ input }: { input: GateInput }) => {
        gateInputs.push(input);
        return {
          question: input.escalation ? `Decide: ${input.escalation.reason}` : 'Approve?',
          shownSha256: 'f'.repeat(64),
          document: artifact('gate'),
          ...options.gate?.(input),
        };
      },
      notify: async (call) => {
        const told = (await options.notify?.(call.input.channel, call.input.message ?? '', call)) as Begins | undefined;
        notices.push({
          channel: call.input.channel,
          message: call.input.message ?? '',
          ...(call.input.end ? { end: call.input.end } : {}),
        });
        return { message: call.input.message ?? '', deliveredTo: ['test'], ...defined({ begun: told?.begun }) };
      },
      journal: async ({ input, info }) => {
        writers.push(info.workflowId);
        pages.push(input.entries.map((entry) => structuredClone(entry)));
        return artifact(`page-${pages.length}`);
      },
      loadPlan: () => Promise.reject(new TypeError('every plan of a test is small')),
      saveState: async ({ input }) => {
        const text = JSON.stringify(input.state);
        stateSizes.push(text.length);
        const state = JSON.parse(text) as Json;
        handedOver.push((state as unknown as { state: World['states'][number] }).state);
        await options.whileSaving?.();
        const ref = controlRef('snapshot', `state-${states.size}-`);
        states.set(ref.sha256, state);
        return ref;
      },
      loadState: async ({ input }) => structuredClone(states.get(input.ref.sha256) ?? options.stored?.[input.ref.name ?? ''] ?? null),
    };

  const run = runInMemory({
    ...defined({
      input: options.input,
      activitiesPerExecution: options.activitiesPerExecution,
      historyIsFull: options.historyIsFull,
      stepEnded: options.stepEnded,
      workflowId: options.workflowId,
      work: options.work,
      decide: options.decide,
    }),
    perform: (call) => {
      if (!call.options.local) calls.push(call);
      return activities[call.name](call);
    },
  });
  return {
    ...run,
    get executions() {
      return run.executions;
    },
    ledger,
    lookedUp,
    seen,
    calls,
    notices,
    gateInputs,
    composed,
    ruled,
    resultOf: (sha256) => results.get(sha256),
    stateSizes,
    states: handedOver,
    pages,
    status: () => run.query('status') as RunView,
    async completes() {
      await run.elapse();
      await expect(run.result).resolves.toMatchObject({ status: 'completed' });
    },
    step: (id) => (run.query('status') as RunView).steps.find((step) => step.id === id) as StepView,
    journal(of) {
      const entries = pages.filter((_, at) => of === undefined || writers[at] === of).flat();
      for (;;) {
        const after = entries.at(-1)?.seq ?? 0;
        const more = (run.query('journal', { after }) as JournalView).entries;
        if (more.length === 0) return entries;
        entries.push(...more);
      }
    },
    order: () => seen.map(({ call }) => call.options.address ?? ''),
  };
}

function endOf({ begun, ...output }: StepOutput): { output: StepOutput } & Begins {
  return { output, ...defined({ begun }) };
}
