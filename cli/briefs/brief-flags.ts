import type { BriefFlags, BriefStart } from '../../compiler/brief/flags';
import { defined } from '../../plan/defined';
import type { Options } from '../command';
import { usage } from '../exit';

/** What the options say of a brief. Fails with exit 2 if they contradict each other. */
export function briefFlags(options: Options): BriefFlags {
  const [roles, single] = [options.text('roles'), options.flag('single')];
  if (single && roles !== undefined) throw usage('--single is one agent without roles, so it goes without --roles');
  return defined({
    ...{ adapter: options.text('adapter'), model: options.text('model'), mode: options.text('mode'), roles },
    ...{ single: single || undefined, workdir: options.text('workdir') },
    // The parser has it as `true` unless `--no-shell` is given.
    noShell: options.isOff('shell') || undefined,
    ...{ maxTokens: options.text('maxTokens'), maxMinutes: options.text('maxMinutes') },
  });
}

export function briefStart(options: Options): Omit<BriefStart, 'id'> {
  return { flags: briefFlags(options), ...(options.isOff('operator') ? { noOperator: true } : {}) };
}
