import { CommandFailure, EXIT } from '../../cli/exit';
import type { PlacedMistake } from '../../cli/settings/places';
import { parseSettings } from '../../cli/settings/settings-file';

/** What is wrong with a text of settings; none where it is right. */
export function mistakesOf(text: string): PlacedMistake[] {
  try {
    parseSettings('thermidor.yaml', text);
    return [];
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    expect([error.exit, error.code]).toEqual([EXIT.usage, 'settings.invalid']);
    const { mistakes } = error.more.details as { mistakes: PlacedMistake[] };
    return mistakes;
  }
}
