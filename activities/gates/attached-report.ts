import { basename } from 'node:path';
import type { NotifyStep } from '../../plan/steps/step';
import { shellWord } from '../../plan/text/shell-word';
import type { AttachedReport } from '../channel-port';
import type { InputScope } from '../run/template-scope';

/**
 * The `report` of a notify step. Undefined if it names none, or one without an output. @param scope for people: its texts have no secrets
 */
export function attachedReport({ report }: NotifyStep, { inputs }: InputScope, run: string): AttachedReport | undefined {
  const found = report === undefined ? undefined : inputs.get(report);
  if (report === undefined || !found) return undefined;
  const { ref, text } = found;
  const mediaType = ref?.mediaType ?? (typeof found.value === 'string' ? 'text/plain' : 'application/json');
  return {
    name: attachmentName(ref?.name ?? `${report}${mediaType === 'application/json' ? '.json' : '.txt'}`),
    mediaType,
    text,
    command: `thermidor show ${shellWord(run)} ${shellWord(report)}`,
  };
}

/** Names of outputs may hold folders. */
function attachmentName(name: string): string {
  const last = basename(name).replace(/[^\w.-]/g, '_');
  return /^\.*$/.test(last) ? 'report.txt' : last;
}

/** The note on a missing report. */
export function missingReport({ report }: NotifyStep, attached: AttachedReport | undefined): string {
  return report === undefined || attached ? '' : `\n(no report: step ${report} has no output)`;
}
