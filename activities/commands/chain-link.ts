import { chains } from '../../kinds/questions';
import type { ArtifactRef } from '../../plan/run/artifact';
import { bug } from '../../plan/run/failure';
import { type Address, parseAddress } from '../../plan/steps/address';
import type { CommandsInput } from '../../plan/steps/container-activities';
import type { CommandStep, NotifyStep, StagesStep } from '../../plan/steps/step';
import type { Readable, StepInput } from '../../plan/steps/step-activity';
import { stepAt } from '../run/load-run';
import type { LoadedRun } from '../run/loaded-run';

/** A step of a chain: its address in full, and the input that its own activity would get. */
export interface ChainLink {
  id: string;
  address: Address;
  step: CommandStep | NotifyStep | StagesStep;
  input: StepInput;
}

export type ChainedCommand = ChainLink & { step: CommandStep };

export function linksOf(run: LoadedRun, { steps }: CommandsInput): ChainLink[] {
  return steps.map(({ address: id, input }) => {
    const address = parseAddress(id);
    const step = address && stepAt(run, address);
    if (!address || !step || !chains(step)) throw bug(`"${id}" is not the address of a step that chains`);
    return { id, address, step, input: { ...input, run: run.key.run } };
  });
}

export function isCommand(link: ChainLink): link is ChainedCommand {
  return 'command' in link.step;
}

/** Adds the outputs of earlier steps in the chain to what the step reads: they did not exist when the chain was scheduled. */
export function withOwn({ step, input }: ChainLink, own: ReadonlyMap<string, ArtifactRef>): Readable {
  const read = new Set([...(step.inputs ?? []), ...(step.records ?? []).map((record) => record.step)]);
  const added = [...own].filter(([id]) => read.has(id));
  return added.length === 0 ? input : { ...input, inputs: { ...input.inputs, ...Object.fromEntries(added) } };
}
