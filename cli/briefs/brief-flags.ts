import { resolve } from 'node:path';
import type { BriefFlags, BriefStart } from '../../compiler/brief/flags';
import { defined } from '../../plan/defined';
import type { Invocation } from '../command';
import { usage } from '../exit';

/** What the options say of a brief. Fails with exit 2 if they contradict each other. */
export function briefFlags({ options, terminal }: Pick<Invocation, 'options' | 'terminal'>): BriefFlags {
  const [roles, single, workdir] = [options.text('roles'), options.flag('single'), options.text('workdir')];
  if (single && roles !== undefined) throw usage('--single is one agent without roles, so it goes without --roles');
  return defined({
    ...{ adapter: options.text('adapter'), model: options.text('model'), mode: options.text('mode'), roles },
    single: single || undefined,
    // A relative one starts where it is typed; in a brief's file it starts at the folder of the worker.
    workdir: workdir === undefined ? undefined : resolve(terminal.cwd, workdir),
    // The parser has it as `true` unless `--no-shell` is given.
    noShell: options.isOff('shell') || undefined,
    ...{ maxTokens: options.text('maxTokens'), maxMinutes: options.text('maxMinutes') },
  });
}

export function briefStart(invocation: Pick<Invocation, 'options' | 'terminal'>): Omit<BriefStart, 'id'> {
  return { flags: briefFlags(invocation), ...(invocation.options.isOff('operator') ? { noOperator: true } : {}) };
}
