import { goesOnPast } from '../../activities/commands/commands';
import { recordOrder, takeOrder } from '../../activities/run/child-order';
import { readMessages, sendMessages } from '../../activities/run/run-messages';
import type { RunRequest } from '../../plan/agents/run-request';
import { defined } from '../../plan/defined';
import type { KeptLessons, MinedJournal } from '../../plan/memory/post-mortem-activities';
import type { ApplyRuleInput } from '../../plan/patterns/rule';
import type { ProofCheck, ProofsInput } from '../../plan/people/gate-activities';
import { claimedStarter } from '../../plan/people/starter';
import type { ArtifactRef } from '../../plan/run/artifact';
import { childId } from '../../plan/run/child';
import type { ActivityName } from '../../plan/run/contract';
import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import type { LedgerLookupInput, LedgerLookupOutput } from '../../plan/run/ledger-lookup';
import { type OpenedRun, type OpenRunInput, RUN_VERSION } from '../../plan/run/run-activities';
import type { ReadMessagesInput, SendMessagesInput } from '../../plan/run/run-messages';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import type { ChildStepInput, CommandsInput, CommandsOutput, ComposeInput, ResponseCheck } from '../../plan/steps/container-activities';
import { controlPlan } from '../../plan/steps/control';
import type { Pause, StepInput, StepOutput } from '../../plan/steps/step-activity';
import type { EmitItemOutput, EmittedInput, SentItem } from '../../plan/steps/stream';
import { field, type Json } from '../../plan/text/json';
import type { RunKey } from '../../records/ledger';
import { MemoryLedger } from '../../records/memory/memory-store';
import { RUN_RECORD, readRunRecord } from '../../records/runs/run-record';
import { asJson } from '../../records/stored-json';
import { type Command, DONE, type Outcome } from '../support/simulation/commands';
import { type Dice, dice } from '../support/simulation/dice';
import type { SimulatedWorld, Work } from '../support/simulation/ports';
import type { SimulatedRun } from '../support/simulation/simulated-run';
import { digestOf, escalationAnswer, natureOf, pauseBefore, pauseWithin, saysOf, usageOf } from './agents';
import { createDocuments } from './documents';
import { createItemStreams, type ItemStreams } from './item-streams';
import { indexPlan, type PlanIndex } from './plan-index';
import type { Scenario } from './scenario';
import { inWorktree, leaseOf } from './worktrees';

type ActivityCommand = Extract<Command, { kind: 'activity' }>;

/** The behaviour of a case's world. It depends on seed and address, so the same request has the same answer. */
export interface Behaviour extends SimulatedWorld {
  /** The payments for agents, by run and address. An effect that is in the ledger is not paid again. */
  readonly paid: ReadonlyMap<string, number>;
  /** The tokens, by run and address. */
  readonly used: ReadonlyMap<string, number>;
  /** The addresses under which an activity brought a result. Nothing may request a second one. */
  readonly brought: ReadonlySet<string>;
  /** The step and round that brought each artifact. */
  readonly origins: ReadonlyMap<string, { run: string; address: string }>;
  /** The number of signals to the run's parent that were meant for this run. Each is sent once, whatever crashes. */
  ordersTo(run: SimulatedRun): Promise<number>;
  readonly streams: ItemStreams;
}

/** What the world of a case needs from the server. */
export interface Around {
  nowMs(): number;
  /** Tells the run that there are items in a stream. */
  wake(run: SimulatedRun, stream: string): void;
}

export function createBehaviour(scenario: Scenario, { nowMs, wake }: Around): Behaviour {
  const paid = new Map<string, number>();
  const used = new Map<string, number>();
  const brought = new Set<string>();
  const origins = new Map<string, { run: string; address: string }>();
  const states = new Map<string, Json>();
  /** The results of commands and agents in the ledger, by run and address. */
  const results = new Map<string, StepOutput>();
  const ledger = new MemoryLedger();
  const parents = new Map<string, RunKey>();
  const documents = createDocuments(scenario.seed);
  const streams = createItemStreams({ seed: scenario.seed, nowMs, stored, wake });

  /** The plan that a run follows. */
  function planOf({ workflowType }: SimulatedRun): PlanIndex {
    return indexPlan(scenario.children[workflowType] ?? scenario.plan);
  }

  function stored(run: SimulatedRun, address: string, name = address): ArtifactRef {
    const sha256 = Buffer.from(`${run.workflowId} ${name}`).toString('hex').padEnd(64, '0');
    origins.set(sha256, { run: run.workflowId, address });
    return { sha256, sizeBytes: 1, mediaType: 'application/json', name };
  }

  async function openRun(run: SimulatedRun, { workflowType, input }: OpenRunInput): Promise<OpenedRun> {
    const plan = scenario.children[run.workflowType] ?? scenario.plan;
    const key = keyOf(run);
    const claim = input.parent as Parameters<typeof takeOrder>[2] | undefined;
    const order = claim && (await takeOrder({ ledger }, { key, workflowType }, claim));
    if (claim) parents.set(run.workflowId, claim);
    const { parent, budget } = readRunRecord(await ledger.putIfAbsent(key, RUN_RECORD, asJson(order ?? {})));
    return {
      ...{
        plan: controlPlan(plan),
        planRef: { ...stored(run, 'plan'), kind: 'plan' },
        args: {},
        version: RUN_VERSION,
        startedAt: new Date(0).toISOString(),
        searchAttributes: ['ThermidorState'],
        startedBy: claimedStarter('cleo'),
      },
      ...defined({ parent, budget }),
    };
  }

  async function ordersTo(run: SimulatedRun): Promise<number> {
    const parent = parents.get(run.workflowId);
    if (!parent) return 0;
    const { says } = await readMessages({ ledger }, keyOf(run), { run: '', from: parent, after: 0 });
    return says.filter((word) => field(word, 'kind') === 'signal').length;
  }

  async function local(run: SimulatedRun, name: ActivityName, given: unknown): Promise<unknown> {
    if (name === 'openRun') return await openRun(run, given as OpenRunInput);
    if (name === 'say') return await sendMessages({ ledger }, keyOf(run), given as SendMessagesInput);
    if (name === 'hear') return await readMessages({ ledger }, keyOf(run), given as ReadMessagesInput);
    if (name === 'recorded') return recorded(run, given as LedgerLookupInput);
    if (name === 'spawned') return { children: [] };
    if (name === 'announce') return null;
    if (name === 'emitted') return streams.emitted(run, given as EmittedInput);
    if (name === 'checkProofs') return (given as ProofsInput).proofs.map((one) => proofOf(asJson(one)));
    if (name === 'applyRule') return answered(rule(run, given as ApplyRuleInput));
    const input = given as { ref: { name: string }; state: Json };
    if (name === 'journal') return stored(run, `journal-${JSON.stringify(field(given as Json, 'entries')).length}`);
    if (name === 'saveState') {
      const key = `${run.workflowId} state-${states.size}`;
      states.set(key, input.state);
      return { sha256: '0'.repeat(64), sizeBytes: 1, mediaType: 'application/json', name: key };
    }
    return states.get(input.ref.name) ?? null;
  }

  function emitItem(run: SimulatedRun, input: SentItem): EmitItemOutput {
    const spec = planOf(run).step(input.step)?.emits;
    if (!spec) throw new Error(`step "${input.step}" emits nothing`);
    return streams.emitFromOutside(run, spec, input);
  }

  function rule(run: SimulatedRun, input: ApplyRuleInput): Outcome {
    const { at: address = '' } = input;
    return documents.decide(planOf(run).step(placeOf(address)), `${run.workflowId} ${address}`, input, stored(run, address));
  }

  function recorded(run: SimulatedRun, { calls }: LedgerLookupInput): LedgerLookupOutput {
    const done = calls.flatMap(({ call }) => {
      const output = results.get(`${run.workflowId} ${call}`);
      return output ? [[call, output] as const] : [];
    });
    return { done: Object.fromEntries(done), looked: calls.length };
  }

  function perform(run: SimulatedRun, command: ActivityCommand): Work {
    const { name, options } = command;
    const address = options.address ?? name;
    const isNew = !brought.has(`${run.workflowId} ${address}`);
    const work = inWorktree(workOf(run, command, address), `${run.workflowId} ${address}`, command);
    const step = planOf(run).step(placeOf(address));
    return name === 'command' && step && isNew ? streams.producing(run, step, address, work) : work;
  }

  function workOf(run: SimulatedRun, { name, input, options }: ActivityCommand, address: string): Work {
    const chance = dice(scenario.seed, run.workflowId, name, address);
    const place = placeOf(address);
    const key = `${run.workflowId} ${address}`;
    const again = brought.has(key);
    const afterMs = again ? 0 : durationOf(chance, name, planOf(run).isPart(place));
    if (name === 'commands') return { afterMs, outcome: value(chain(run, JSON.parse(input))) };
    if (name === 'agent' && !again) return converse(run, address, afterMs, JSON.parse(input), options);
    const failure = scenario.failures && !again ? failureOf(name, chance) : undefined;
    if (failure) {
      const lasts = failure === 'channel.unavailable' ? (options.scheduleToCloseMs ?? afterMs) : afterMs;
      return { afterMs: lasts, outcome: { kind: 'failure', code: failure, message: 'it went wrong' } };
    }
    if (name === 'applyRule') return { afterMs, outcome: rule(run, { ...(JSON.parse(input) as ApplyRuleInput), at: address }) };
    if (name === 'compose') documents.compose((JSON.parse(input) as ComposeInput).from, stored(run, address));
    const given = resultOf(run, name, address, place, JSON.parse(input));
    const effect = (): void => {
      brought.add(key);
      if (name === 'command') results.set(key, given as StepOutput);
    };
    if (name === 'childInput') return orderChild(run, address, afterMs, JSON.parse(input), effect);
    return { afterMs, outcome: value(given), effect };
  }

  /**
   * An agent needs two requests. It stops before one that its budget does not cover, and continues from there when it is called
   * again; a failure comes after the first.
   */
  function converse(run: SimulatedRun, address: string, afterMs: number, input: StepInput, options: ActivityCommand['options']): Work {
    const key = `${run.workflowId} ${address}`;
    const budget = input.budget ?? {};
    const nature = {
      ...natureOf(scenario, run.workflowId, address, input, stored(run, `${address}/call`)),
      requests: input.spawn || input.escalation ? [] : saidAt(run, address),
    };
    const { first, whole } = nature;
    const use = (tokens: number) => () => void used.set(key, Math.max(tokens, used.get(key) ?? 0));
    const paused = (tokens: number, pause: Pause): Outcome => value({ usage: usageOf(nature, tokens), paused: pause } satisfies StepOutput);
    const before = pauseBefore(nature, budget);
    if (before) return { afterMs, outcome: paused(0, before) };
    const leftMs = (budget.untilMs ?? Number.POSITIVE_INFINITY) - nowMs();
    // Reported work is done, so only the rest of the work takes time.
    if (leftMs < afterMs) {
      const late: Pause = { kind: 'budget', short: { kind: 'wallClock' } };
      return { afterMs: Math.max(0, leftMs), outcome: paused(0, late) };
    }
    const failure = scenario.failures ? failureOf('agent', dice(scenario.seed, run.workflowId, 'agent', address)) : undefined;
    if (failure) {
      const work = { usage: usageOf(nature, first) };
      return { afterMs, outcome: { kind: 'failure', code: failure, message: 'it went wrong', work }, effect: use(first) };
    }
    const within = pauseWithin(nature, budget, input);
    if (within) return { afterMs, outcome: paused(first, within), effect: use(first) };
    const result = resultOfAgent(run, address, options.address ?? '', input);
    const output: StepOutput = { ...result, usage: usageOf(nature, whole), toolCalls: nature.toolCalls };
    const effect = (): void => {
      use(whole)();
      paid.set(key, (paid.get(key) ?? 0) + 1);
      brought.add(key);
      results.set(key, output);
    };
    const done: Work = { afterMs, outcome: value(output), effect };
    const producer = input.spawn || input.escalation ? undefined : planOf(run).step(placeOf(address));
    const heldBack: Work = { afterMs, outcome: paused(first, { kind: 'held-back' }), effect: use(first) };
    return producer ? streams.producing(run, producer, address, done, heldBack) : done;
  }

  /** The messages of an agent. Only agents in coordinate steps send some, because only these steps react to them. */
  function saidAt(run: SimulatedRun, address: string): RunRequest[] {
    const plan = planOf(run);
    const step = plan.step(placeOf(address));
    if (!step || plan.coordinatorOf(step.id) === undefined || !('agent' in step)) return [];
    return saysOf(scenario, run.workflowId, address, step.agent);
  }

  function resultOfAgent(run: SimulatedRun, address: string, place: string, input: StepInput): StepOutput {
    const { spawn, escalation } = input;
    if (escalation) {
      const escalated = escalationAnswer(scenario, run.workflowId, address);
      return escalated ? { escalated } : {};
    }
    if (spawn) return { artifact: stored(run, address) };
    const artifact = stored(run, address);
    const values = documents.answer(planOf(run).step(placeOf(place)), `${run.workflowId} ${address}`, input, artifact);
    return values ? { artifact, values } : (resultOf(run, 'agent', address, placeOf(place), {}) as StepOutput);
  }

  function orderChild(run: SimulatedRun, address: string, afterMs: number, { budgeted }: ChildStepInput, done: () => void) {
    const step = address.replace(/\/input$/, '');
    const place = planOf(run).step(placeOf(address));
    const pipeline = place?.kind === 'pipeline' ? place.pipeline : '';
    const workflowId = childId(run.workflowId, step);
    const effect = (): void => {
      done();
      const order = {
        step,
        pipeline,
        plan: { ...stored(run, address), kind: 'plan' as const },
        args: {},
        ...(budgeted ? { budgeted } : {}),
      };
      void recordOrder(ledger, keyOf(run), workflowId, order);
    };
    return { afterMs, outcome: value({ workflowId }), effect };
  }

  function chain(run: SimulatedRun, { steps }: CommandsInput): CommandsOutput {
    const done: CommandsOutput['done'] = [];
    for (const { address } of steps) {
      const chance = dice(scenario.seed, run.workflowId, 'command', address);
      const step = planOf(run).step(placeOf(address));
      const times = { startedAtMs: nowMs(), endedAtMs: nowMs() };
      if (scenario.failures && chance.chance(0.1)) {
        const failure = { code: 'command.failed' as const, message: 'exit 1' };
        if (!step || !goesOnPast(step, failure.code)) return { done, failure };
        done.push({ output: {}, failure, ...times });
        continue;
      }
      const isMessage = step !== undefined && 'message' in step;
      if (isMessage && chance.chance(0.2)) return { done, alone: true };
      const output = isMessage ? {} : { artifact: stored(run, address) };
      brought.add(`${run.workflowId} ${address}`);
      results.set(`${run.workflowId} ${address}`, output);
      done.push({ output, ...(isMessage ? { message: 'news' } : {}), ...times });
      if (chance.chance(0.1)) return { done };
    }
    return { done };
  }

  function resultOf(run: SimulatedRun, name: ActivityName, address: string, step: string, input: Json): unknown {
    const chance = dice(scenario.seed, 'result', run.workflowId, address);
    switch (name) {
      case 'agent':
        return reviewerOf(scenario, step)
          ? review(run, address, chance)
          : ({ artifact: stored(run, address), values: { verdict: 'none' } } satisfies StepOutput);
      case 'command':
        return {
          artifact: stored(run, address),
          ...(asks(scenario, step) ? { approval: { form: stored(run, `${address}/form`), question: 'go on?' } } : {}),
        };
      case 'compose':
        return { artifact: stored(run, address) };
      case 'mineJournal':
        documents.mine(stored(run, address));
        return { artifact: stored(run, address), notable: chance.chance(0.5), agents: ['worker', 'writer'] } satisfies MinedJournal;
      case 'keepLessons':
        return { artifact: stored(run, address), kept: [] } satisfies KeptLessons;
      case 'items':
        return { list: stored(run, address), count: scenario.lists[step]?.length ?? 0 };
      case 'itemValues':
        return [];
      case 'claimWorktree':
        return leaseOf(String(field(input, 'slot')));
      case 'restoreWorktree':
        return { worktree: { ...(field(input, 'worktree') as object), commit: String(field(input, 'to')) } };
      case 'checkResponses':
        return someOf(field(input, 'responses'), chance).map(responseCheck);
      case 'emitItems':
        return someOf(field(input, 'items'), chance).map((one) => emitItem(run, one as unknown as SentItem));
      case 'gate':
        return {
          question: `what of ${address}?`,
          shownSha256: Buffer.from(address).toString('hex').padEnd(64, 'f').slice(0, 64),
          document: stored(run, address),
          ...(field(input, 'category') === undefined ? {} : { contentSha256: digestOf(address) }),
        };
      case 'notify':
        return { message: 'said', deliveredTo: ['test'] };
      default:
        return {};
    }
  }

  function review(run: SimulatedRun, address: string, chance: Dice): StepOutput {
    const verdict = chance.pick(['pass', 'pass', 'revise', 'revise', 'block'] as const);
    const reviseTarget = chance.chance(0.25) ? chance.pick(['worker', 'writer', 's1', 's2', 'nobody']) : undefined;
    const high = chance.whole(0, 3);
    const unfixable = verdict !== 'pass' && chance.chance(0.1) ? (true as const) : undefined;
    return {
      artifact: stored(run, address),
      values: { verdict },
      verdict: { verdict, findings: { high }, ...defined({ reviseTarget, unfixable }) },
    };
  }

  return { paid, used, brought, origins, ordersTo, streams, local, perform };
}

function keyOf({ workflowId, execution }: SimulatedRun): RunKey {
  return { workflowId, run: execution.info.firstRunId };
}

function value(result: unknown): Outcome {
  return result === undefined ? DONE : { kind: 'value', json: JSON.stringify(result) };
}

/** The outcome as a local activity returns it. */
function answered(outcome: Outcome): unknown {
  if (outcome.kind === 'value') return JSON.parse(outcome.json);
  throw outcome.kind === 'failure' ? new ThermidorFailure(outcome.code, outcome.message) : new Error('a local activity is not cancelled');
}

function proofOf(input: Json): ProofCheck {
  return isForged(input) ? { problem: 'the seal does not hold' } : {};
}

function responseCheck(input: Json): ResponseCheck {
  return { problems: field(field(input, 'response') ?? null, 'wrong') === true ? ['it is wrong'] : [] };
}

/** The first of them, because an activity may not have time for all. */
function someOf(all: Json | undefined, chance: Dice): Json[] {
  const list = Array.isArray(all) ? all : [];
  return list.slice(0, chance.whole(1, list.length));
}

function isForged(input: Json): boolean {
  return (
    field(field(input, 'proof') ?? null, 'mac')
      ?.toString()
      .startsWith('good') !== true
  );
}

/** The step that an activity works for. */
function placeOf(address: string): string {
  const own = parseAddress(address.replace(/(~\d+)\/.*$/, '$1'));
  return own ? stepIdOf(own) : '';
}

function reviewerOf({ plan, children }: Scenario, step: string): boolean {
  return [plan, ...Object.values(children)].some((one) => indexPlan(one).step(step)?.kind === 'review');
}

/** Whether a person is asked once the step's command is done. */
function asks({ plan, children }: Scenario, step: string): boolean {
  return [plan, ...Object.values(children)].some((one) => indexPlan(one).step(step)?.approval !== undefined);
}

/** A part of a pattern may answer when nobody waits for it any more. */
function durationOf(chance: Dice, name: ActivityName, isPart: boolean): number {
  if (isPart && chance.chance(0.15)) return chance.whole(2, 40) * 60_000;
  if (name === 'agent' || name === 'command' || name === 'commands') return chance.pick([0, 100, 1000, chance.whole(1, 120_000)]);
  return chance.pick([0, 0, 50]);
}

const FAILING: Partial<Record<ActivityName, { likely: number; codes: readonly [FailureCode, ...FailureCode[]] }>> = {
  agent: { likely: 0.12, codes: ['agent.timeout', 'reply.invalid', 'model.api-error', 'model.refused'] },
  command: { likely: 0.12, codes: ['command.failed', 'command.timeout'] },
  notify: { likely: 0.1, codes: ['channel.unavailable', 'channel.refused'] },
  gate: { likely: 0.02, codes: ['artifact.missing'] },
  items: { likely: 0.03, codes: ['loop.not-a-list'] },
  checkProofs: { likely: 0.05, codes: ['artifact.missing'] },
};

function failureOf(name: ActivityName, chance: Dice): FailureCode | undefined {
  const rule = FAILING[name];
  return rule && chance.chance(rule.likely) ? chance.pick(rule.codes) : undefined;
}
