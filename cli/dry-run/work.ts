import type { Template } from '../../plan/expression';
import type { Json } from '../../plan/json';
import type { Plan } from '../../plan/plan';
import { joinOf } from '../../plan/quorum';
import type { WantedAdapter } from '../../plan/run-by';
import type { AgentStep, CommandStep, ReviewStep, StagesStep, Step } from '../../plan/step';
import { unreachable } from '../../plan/unreachable';
import { writeExpr } from '../rendering/expression';
import { describeStages } from '../rendering/stages';
import { gateWork } from './gate-work';
import { knownValue, placeholder, renderKnown, renderValue, type World } from './known';
import type { DryPlace, DryRunBy, DryWork } from './model';
import { agentOf, dryPrompt, type ReadBlob, templatesOf } from './prompt';
import { shellText } from './shell-text';

/** What the steps of one plan are read with. */
export interface Reading {
  plan: Plan;
  blob: ReadBlob;
  steps: ReadonlyMap<string, Step>;
  world: World;
  /** Of an agent's definition: the script's where there is one. */
  runByOf: (agent: WantedAdapter) => DryRunBy;
}

/** What a step would do, with everything that is known in it. */
export function dryWork(step: Step, reading: Reading): DryWork {
  const { world } = reading;
  switch (step.kind) {
    case 'agent':
    case 'review':
      return agentWork(step, reading);
    case 'command':
      return commandWork(step, reading);
    case 'stages':
      return {
        kind: 'stages',
        pipe: describeStages(step.stages, (template) => renderKnown(template, world)),
        asks: step.stages.flatMap(({ name }) => (name === 'approve' || name === 'ask' ? [name] : [])),
        ...placeOf(step, world),
      };
    case 'approval':
    case 'input':
      return gateWork(step, world, reading.blob);
    case 'notify':
      return {
        kind: 'notify',
        channel: step.channel,
        message: renderKnown(step.message, world),
        ...(step.report === undefined ? {} : { report: step.report }),
      };
    case 'wait':
      return {
        kind: 'wait',
        ...(step.forMs === undefined ? {} : { forMs: step.forMs }),
        ...(step.until === undefined ? {} : { until: renderKnown([step.until], world) }),
        ...(step.signal === undefined ? {} : { signal: step.signal }),
      };
    case 'parallel':
      return {
        kind: 'parallel',
        wait: joinOf(step),
        ...(step.maxConcurrent === undefined ? {} : { maxConcurrent: step.maxConcurrent }),
        ...(step.merge === undefined ? {} : { merge: step.merge }),
      };
    case 'group':
      return { kind: 'group' };
    case 'for_each': {
      const list = knownValue(step.items, world)?.value;
      return {
        kind: 'for_each',
        items: list === undefined ? placeholder(step.items, world) : writeExpr(step.items),
        ...(Array.isArray(list) ? { count: list.length } : {}),
        itemVar: step.itemVar ?? 'item',
        indexVar: step.indexVar ?? 'index',
        maxConcurrent: step.maxConcurrent ?? 1,
        ...(step.batchSize === undefined ? {} : { batchSize: step.batchSize }),
        ...(step.pauseMs === undefined ? {} : { pauseMs: step.pauseMs }),
      };
    }
    case 'pipeline': {
      const given = step.with === undefined ? {} : templatesOf(reading.blob(step.with));
      const args = Object.entries(given).map(([name, template]): [string, Json] => [name, renderValue(template, world)]);
      return { kind: 'pipeline', pipeline: step.pipeline, args: Object.fromEntries(args) };
    }
    default:
      return unreachable(step);
  }
}

function agentWork(step: AgentStep | ReviewStep, reading: Reading): DryWork {
  const { plan, steps, blob, world, runByOf } = reading;
  const { agent, text } = dryPrompt(step, plan, steps, blob, world);
  return {
    kind: step.kind,
    agent: step.agent,
    ...(agent.title === undefined ? {} : { title: agent.title }),
    ...runByOf(agent),
    ...(step.action === 'self' ? { ownContext: true as const } : {}),
    prompt: text,
    ...(step.tools === undefined ? {} : { tools: step.tools }),
    ...(step.cwd === undefined ? {} : { cwd: renderKnown(step.cwd, world) }),
    ...(step.output === undefined ? {} : { output: step.output.name }),
    ...(step.kind === 'review' ? reviewOf(step, reading) : {}),
  };
}

function reviewOf(
  { of, critic, onRevise, onBlock }: ReviewStep,
  { plan, blob, runByOf }: Reading,
): Pick<Extract<DryWork, { kind: 'agent' | 'review' }>, 'of' | 'critic' | 'criticRunBy' | 'onRevise' | 'onBlock'> {
  return {
    of,
    ...(critic === undefined ? {} : { critic, criticRunBy: runByOf(agentOf(critic, plan, blob)) }),
    ...(onRevise === undefined ? {} : { onRevise }),
    ...(onBlock === undefined ? {} : { onBlock }),
  };
}

function commandWork(step: CommandStep, { world }: Reading): DryWork {
  const { command } = step;
  return {
    kind: 'command',
    ...('shell' in command
      ? { shell: shellText(command.shell, world, command.raw === true) }
      : { argv: command.argv.map((one) => renderKnown(one, world)) }),
    ...placeOf(step, world),
  };
}

function placeOf(step: CommandStep | StagesStep, world: World): DryPlace {
  const text = (template: Template): string => renderKnown(template, world);
  const place: DryPlace = {};
  if (step.cwd) place.cwd = text(step.cwd);
  if (step.env) place.env = Object.fromEntries(Object.entries(step.env).map(([name, template]) => [name, text(template)]));
  if (step.stdin) place.stdin = text(step.stdin);
  if (step.output) place.output = step.output.name;
  return place;
}
