import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { commands } from '../../activities/commands/commands';
import type { Toolbox } from '../../activities/toolbox';
import type { CommandsOutput } from '../../plan/steps/container-activities';
import type { CommandStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { KEY, type Workshop, workshop } from './workshop';

/** The clock does not move, so a slow machine makes no chain return before its end. */
export function shop(more: Partial<Toolbox> = {}, root?: string): Workshop {
  return workshop({ processes: new GroupProcessRunner(), nowMs: () => 0, ...more }, root);
}

export function step(id: string, shell: CommandStep['command'], more: Partial<CommandStep> = {}): CommandStep {
  return { id, kind: 'command', command: shell, ...more };
}

/** A command that leaves a line in a file of the shop. */
export function marking(at: Workshop, id: string, more: Partial<CommandStep> = {}): CommandStep {
  return step(id, { shell: [`echo ${id} >> ${at.root}/ran; echo out-${id}`] }, more);
}

export function ran(at: Workshop): string[] {
  const file = join(at.root, 'ran');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

export function chain(at: Workshop, ids: string[], input: Partial<StepInput> = {}, toolbox = at.toolbox): Promise<CommandsOutput> {
  const steps = ids.map((id) => ({ address: `${id}#1~1`, input }));
  return commands(toolbox, at.call(`${ids[0]}#1~1/chain`), { run: KEY.run, steps });
}

export async function texts(at: Workshop, { done }: CommandsOutput): Promise<string[]> {
  return await Promise.all(done.map(async ({ output }) => (await at.artifacts.get(output.artifact!)).toString()));
}
