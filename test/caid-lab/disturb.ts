import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import type { TeamWord } from '../../plan/run/journal';
import type { Scratch } from '../durability/support/scratch';
import { until } from '../durability/support/until';

/** A disturbance of a team at work: when it comes, and which git process it hits. */

/** Waits until the run's journal has the event, whatever its task. */
export function happened(scratch: Scratch, run: string, event: TeamWord, mostMs?: number): Promise<boolean> {
  const look = async (): Promise<boolean> => {
    const asked = await scratch.ask('journal', run, '--json');
    return asked.code === 0 && asked.out.includes(`"event":"${event}"`);
  };
  return until(`the journal has "${event}"`, look, mostMs);
}

/** The git commands of a merge, in their order. */
export const MERGING = ['merge-tree', 'commit-tree', 'update-ref'] as const;

/** A git on the path that dies the first time that it is to run this command. The file `died` exists from then on. */
export function mortalGit(scratch: Scratch, verb: (typeof MERGING)[number]): { env: NodeJS.ProcessEnv; died: string } {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const died = scratch.path('git-died');
  const script = `#!/bin/sh\ncase " $* " in *" ${verb} "*) mkdir '${died}' 2>/dev/null && kill -9 $$ ;; esac\nexec '${real}' "$@"\n`;
  chmodSync(scratch.write('bin/git', script), 0o755);
  return { env: { PATH: `${scratch.path('bin')}:${process.env['PATH'] ?? ''}` }, died };
}
