import { ShellQuoting } from '../../activities/commands/shell-quoting';
import { asText } from '../../plan/evaluate';
import type { Template } from '../../plan/expression';
import { word } from '../../plan/shell-word';
import { renderKnown, type World } from './known';

/**
 * A shell command as it would run, for people. A run hands values over as variables (activities/commands/shell-template.ts); here they
 * are in their place, quoted so that the text means the same. `raw`: the Lobster dialect, which puts them in as they are.
 */
export function shellText(template: Template, world: World, raw: boolean): string {
  const quoting = new ShellQuoting();
  let text = '';
  for (const piece of template) {
    if (typeof piece === 'string') {
      quoting.text(piece);
      text += piece;
      continue;
    }
    const context = quoting.context();
    quoting.value();
    text += renderKnown([piece], world, (known) => {
      const value = asText(known);
      if (raw) return value;
      if (context === 'bare') return word(value);
      if (context === 'single') return value.replaceAll("'", `'\\''`);
      return context === 'double' ? value.replace(/[\\"$`]/g, '\\$&') : value;
    });
  }
  return text;
}
