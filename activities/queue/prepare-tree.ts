import type { TestInput } from '../../plan/queue/queue-activities';
import type { QueueSettings } from '../../plan/queue/queue-settings';
import type { FailedTest } from '../../plan/queue/ticket';
import { loadRun } from '../run/load-run';
import { ownSecrets } from '../run/run-secrets';
import type { Toolbox } from '../toolbox';
import { renderedSetup, type SetupCommand } from '../worktrees/setup-commands';
import { requireSlot } from '../worktrees/slot-record';
import { requireSubmission } from './own-records';

/** What prepares a merged tree for testing. */
export interface Preparation {
  /** Files outside git, by their paths in the checkout. */
  copy: string[];
  commands: PreparingCommand[];
}

export interface PreparingCommand extends SetupCommand {
  of: FailedTest['of'];
  /** Its position in the `setup` that it is part of, from 1. */
  prepares: number;
  mask(text: string): string;
}

/**
 * The commands by which the queue prepares its trees, and those of the candidates' own worktrees. A command that several bring runs once.
 * It is in the plans of the runs that ask, and never in a submission, because values in it may be secret.
 */
export async function preparationOf(toolbox: Toolbox, { candidates, target }: TestInput, rules: QueueSettings): Promise<Preparation> {
  const { mask } = ownSecrets(toolbox);
  const all: PreparingCommand[] = rules.setup.map((shell, i) => ({ of: 'queue', prepares: i + 1, shell, env: {}, own: {}, mask }));
  const copy = new Set(rules.copy);
  const known = new Set(all.map(identity));
  for (const { ticket, asked } of candidates) {
    const { madeIn } = await requireSubmission(toolbox, asked, target);
    if (!madeIn) continue;
    const { workflowId, run: id, slot } = madeIn;
    const run = await loadRun(toolbox, { workflowId, run: id });
    const record = await requireSlot(toolbox.ledger, madeIn, slot);
    for (const name of record.plan.copy) copy.add(name);
    const { commands, secrets } = await renderedSetup(toolbox, run, { slot, record, key: 'setup' });
    for (const [i, command] of commands.entries()) {
      const added = { ...command, of: ticket, prepares: i + 1, mask: secrets.mask };
      if (!known.has(identity(added))) all.push(added);
      known.add(identity(added));
    }
  }
  return { copy: [...copy], commands: all };
}

function identity({ shell, env, own }: SetupCommand): string {
  return JSON.stringify([shell, env, own]);
}
