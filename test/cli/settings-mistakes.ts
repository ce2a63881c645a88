import { CommandFailure, EXIT } from '../../cli/exit';
import type { LocatedMistake } from '../../cli/settings/located-mistakes';
import { parseSettings } from '../../cli/settings/settings-file';

/** The mistakes in a text of settings; none if it is right. */
export function mistakesOf(text: string): LocatedMistake[] {
  try {
    parseSettings('thermidor.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    expect([error.exit, error.code]).toEqual([EXIT.usage, 'settings.invalid']);
    const { mistakes } = error.more.details as { mistakes: LocatedMistake[] };
    return mistakes;
  }
}
