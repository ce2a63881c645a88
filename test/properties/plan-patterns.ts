import { OCCASIONS } from '../../kinds/post-mortem/rules/spec';
import type { Plan } from '../../plan/plan';
import type { Action } from '../../plan/steps/action';
import type { Block, ReviewStep, Step, StepBase } from '../../plan/steps/step';
import { everyStep } from '../../plan/steps/walk';
import { postMortemStep } from '../patterns/post-mortem-play';
import { type Dice, dice } from '../support/simulation/dice';
import { makeEscalate, makePattern, merging, PATTERN_KINDS, type PatternKind } from './pattern-steps';
import { BLOCKS, EXHAUSTED, reachable } from './plan-parts';

/**
 * Puts collaboration patterns into a generated pipeline: in the place of any agents and commands, and as steps that actions call. They
 * depend on the id of each step, so the rest of the pipeline does not change.
 */
export function withPatterns(plan: Plan, seed: number): Plan {
  const likely = dice('pattern steps', seed, plan.name).pick([0.1, 0.25, 0.4]);
  if (likely === 0) return plan;
  const plenty = dice('plenty', seed, plan.name).pick(PLENTY);
  const delivers = dice('deliveries', seed, plan.name).chance(0.25);
  const coordinates = dice('coordinators', seed, plan.name).chance(0.25);
  const beside = ({ id }: Step): PatternKind | undefined => {
    if (plenty && dice('plenty', seed, id).chance(0.3)) return plenty;
    if (delivers && dice('deliveries', seed, id).chance(0.3)) return 'increments';
    return coordinates && dice('coordinators', seed, id).chance(0.3) ? 'coordinate' : undefined;
  };
  const within = (block: Block): Block => withCalled(unchained(withPatternSteps(block)), seed, likely);
  const withPatternSteps = (block: Block): Block => ({ ...block, steps: block.steps.flatMap((step) => instead(step, block)) });

  function instead(step: Step, block: Block): Step[] {
    const chance = dice('pattern', seed, step.id);
    const isRolled = chance.chance(likely);
    switch (step.kind) {
      case 'agent':
      case 'command': {
        const rolled = chance.pick(PATTERN_KINDS);
        const kind = isRolled ? rolled : beside(step);
        // A stream is two steps, which cannot be a branch.
        if (!kind || (kind === 'stream' && block === ALONE)) return [step];
        return makePattern(kind, baseOf(step), chance, () => chance.pick([...EXHAUSTED, ...BLOCKS] as [Action[], ...Action[][]]));
      }
      case 'review':
        return [isRolled ? { ...step, onStall: chance.pick(BLOCKS), stallRounds: 1, onUnfixable: chance.pick(BLOCKS) } : step];
      case 'parallel': {
        const branches = step.branches.flatMap((branch) => instead(branch, ALONE));
        return [isRolled ? merging({ ...step, branches }, chance) : { ...step, branches }];
      }
      case 'switch':
        return [{ ...step, branches: step.branches.flatMap((branch) => instead(branch, ALONE)) }];
      default:
        return ['block' in step ? { ...step, block: within(step.block) } : step];
    }
  }

  return { ...plan, block: within(plan.block), ...(plan.finally ? { finally: within(plan.finally) } : {}) };
}

/**
 * A pattern that a pipeline may have more often than others. This one, increments and coordinate have rolls of their own, so that the other
 * patterns do not change.
 */
const PLENTY: [PatternKind | undefined, ...(PatternKind | undefined)[]] = [undefined, undefined, 'stream'];

/** The block of a container whose branches are single steps. */
const ALONE: Block = { order: 'graph', steps: [] };

/** What a step keeps when it becomes another. */
function baseOf({ id, after, when, inputs, lastInputs, onError, retry, budget }: Step): StepBase {
  const kept = Object.entries({ after, when, inputs, lastInputs, onError, retry, budget }).filter(([, value]) => value !== undefined);
  return { id, ...Object.fromEntries(kept) };
}

/** As in the compiler, only commands and messages are in a chain, and none that emits items. */
function unchained(block: Block): Block {
  const isLink = (step: Step | undefined): boolean => step?.kind === 'notify' || (step?.kind === 'command' && !step.emits);
  const steps = block.steps.map((step, i): Step => {
    if (!step.chained || (isLink(step) && isLink(block.steps[i - 1]))) return step;
    const { chained: _alone, ...rest } = step;
    return rest as Step;
  });
  return { ...block, steps };
}

/** An escalation at the end of a block, which some of its steps call, or steps within these. */
function withCalled(block: Block, seed: number, likely: number): Block {
  const [first] = block.steps;
  const chance = dice('called', seed, first?.id ?? '');
  if (!first || !chance.chance(likely)) return block;
  const id = `${first.id}c`;
  const callers = chance.some(block.steps, 0.4).slice(0, 2);
  const [caller] = callers;
  if (!caller) return block;
  const inner = [...everyStep([caller])].filter((step) => step !== caller && !step.onCall && !isPart(step));
  const nested = chance.chance(0.3) ? chance.pickAny(inner) : undefined;
  const calling = new Set((nested ? [nested] : callers).map((step) => step.id));
  const upstream = block.order === 'graph' ? reachable(block.steps, caller.after ?? []) : block.steps.slice(0, block.steps.indexOf(caller));
  const target = callers.length === 1 && !nested ? chance.pickAny(upstream) : undefined;
  const back: Action[] = target ? [{ kind: 'retry', step: target.id, max: 1 }] : [{ kind: 'stop' }];
  const onRootCause = chance.chance(0.5) ? (chance.chance(0.6) ? back : chance.pick(EXHAUSTED)) : undefined;
  const called = makeEscalate({ id, onCall: true, ...(block.order === 'graph' ? { after: [] } : {}) }, chance, onRootCause);
  const calls = (step: Step): Step => {
    const held: Step =
      'branches' in step
        ? { ...step, branches: step.branches.map(calls) }
        : 'block' in step
          ? { ...step, block: { ...step.block, steps: step.block.steps.map(calls) } }
          : step;
    return calling.has(step.id) ? callerOf(held, { kind: 'call', step: id }, dice('calls', seed, step.id)) : held;
  };
  return { ...block, steps: [...block.steps.map(calls), called] };
}

/** Whether a step is a part. Only the ids of parts have `_` after the number. */
function isPart({ id }: Step): boolean {
  return /\d_[a-z]/.test(id);
}

/** Adds the call to the step: after a failure, or in another list of actions that its kind has. */
function callerOf(step: Step, call: Action, chance: Dice): Step {
  const onError = { onError: [call, ...(step.onError ?? [])] };
  const instead = chance.chance(0.6);
  switch (step.kind) {
    case 'review':
      return instead
        ? {
            ...step,
            stallRounds: 1,
            ...chance.pick<Partial<ReviewStep>>([{ onBlock: [call] }, { onStall: [call] }, { onUnfixable: [call] }]),
          }
        : { ...step, ...onError };
    case 'repeat':
      return instead ? { ...step, onExhausted: [call, ...(step.onExhausted ?? [])] } : { ...step, ...onError };
    case 'consensus':
    case 'swarm':
      return instead ? { ...step, onFail: [call, ...step.onFail] } : { ...step, ...onError };
    case 'tracks':
      return instead ? { ...step, onBlocked: [call], onMisaligned: [call] } : { ...step, ...onError };
    default:
      return { ...step, ...onError };
  }
}

export function withPostMortem(plan: Plan, seed: number, agents: readonly string[]): Plan {
  const chance = dice('patterns', seed, plan.name);
  if (!chance.chance(0.25)) return plan;
  const occasion = chance.pick(OCCASIONS);
  const step = postMortemStep(agents, { occasion, ...(chance.chance(0.5) ? { takers: true } : {}) });
  return { ...plan, finally: { order: 'sequence', steps: [...(plan.finally?.steps ?? []), step] } };
}
